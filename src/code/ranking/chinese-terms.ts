/** English words for Chinese ones: code is written in English, and tasks about it are not always. */

/** Chinese, simplified and then traditional where that differs, and what stands in code for it. */
const TABLE = `
变量|變數 variable; 常量 constant; 函数|函數 function; 方法 method; 类型|類型 type; 类|類別 class; 接口|介面 interface; 对象|物件 object;
参数|參數 parameter argument; 属性|屬性 property attribute; 字段|欄位 field; 返回值 return; 返回|回傳 return; 数组|陣列 array; 列表 list;
字典 dict map; 字符串|字串 string; 字符|字元 char; 数字|數字 number; 整数|整數 integer; 浮点|浮點 float; 布尔|布林 boolean; 日期 date;
时间|時間 time; 时区|時區 timezone; 时间戳|時間戳 timestamp; 枚举|列舉 enum; 泛型 generic; 继承|繼承 inherit extend; 实例|實例 instance;
构造|建構 construct; 模块|模組 module; 包 package; 库|函式庫 library; 导入|匯入 import; 导出|匯出 export; 依赖|依賴 dependency; 版本 version;
升级|升級 upgrade; 安装|安裝 install; 卸载|解除安裝 uninstall; 配置|設定 config; 设置|設置 setting set; 选项|選項 option; 默认|預設 default;
环境变量|環境變數 env; 环境|環境 environment; 编译|編譯 compile; 构建|建置 build; 打包 bundle; 部署 deploy; 运行|運行 run; 执行|執行 run execute; 步骤|步驟 step; 解析器 parser; 启动|啟動 start launch;
停止 stop; 重启|重新啟動 restart; 退出|結束 exit quit; 关闭|關閉 close; 打开|開啟 open; 加载|載入 load; 卸下 unload; 初始化 init initialize;
错误|錯誤 error; 报错|報錯 error; 异常|例外 exception error; 崩溃|當機 crash; 失败|失敗 fail failure; 成功 success; 警告 warning; 日志|日誌 log logger;
调试|除錯 debug; 测试|測試 test; 断言|斷言 assert; 修复|修復 fix; 超时|逾時 timeout; 重试|重試 retry; 取消 cancel; 中断|中斷 abort interrupt;
死锁|死鎖 deadlock; 锁|鎖 lock; 线程|執行緒 thread; 进程|行程 process; 协程|協程 coroutine; 并发|並行 concurrent; 异步|非同步 async;
同步 sync; 队列|佇列 queue; 任务|任務 task; 定时|定時 schedule timer; 回调|回呼 callback; 事件 event; 监听|監聽 listen listener; 触发|觸發 trigger emit;
订阅|訂閱 subscribe; 发布|發布 publish; 消息|訊息 message; 通知 notification notify; 流式|串流 stream streaming; 流 stream; 缓冲|緩衝 buffer;
缓存|快取 cache; 内存|記憶體 memory; 泄漏|洩漏 leak; 溢出|溢位 overflow; 性能|效能 performance; 指针|指標 pointer; 引用 reference; 空指针 null nil;
为空|為空 empty null; 空值 null; 文件夹|資料夾 folder directory; 目录|目錄 directory; 文件|檔案 file; 路径|路徑 path; 读取|讀取 read; 写入|寫入 write;
保存|儲存 save store; 删除|刪除 delete remove; 新建 create new; 创建|建立 create; 更新 update; 修改 modify edit update; 编辑|編輯 edit editor;
复制|複製 copy; 粘贴|貼上 paste; 移动|移動 move; 重命名|重新命名 rename; 搜索|搜尋 search; 查找|尋找 find; 查询|查詢 query; 检索|檢索 retrieve recall search;
过滤|過濾 filter; 排序 sort order; 分页|分頁 page pagination; 合并|合併 merge; 分支 branch; 提交 commit submit; 数据库|資料庫 database db;
数据|資料 data; 记录|紀錄 record; 表单|表單 form; 表格 table; 事务|交易 transaction; 索引 index; 迁移|遷移 migrate migration; 连接|連線 connect connection;
断开|斷開 disconnect; 请求|請求 request; 响应|回應 response; 服务器|伺服器 server; 服务|服務 service; 客户端|用戶端 client; 接收 receive; 发送|發送 send;
上传|上傳 upload; 下载|下載 download; 网络|網路 network; 代理 proxy agent; 端口|連接埠 port; 域名 domain host; 地址|位址 address; 重定向 redirect;
路由 route router; 中间件|中介軟體 middleware; 会话|會話 session conversation; 登录|登入 login signin; 登出 logout; 注册|註冊 register signup;
用户|使用者 user; 密码|密碼 password; 账号|帳號 account; 令牌|權杖 token; 权限|權限 permission; 角色 role; 认证|認證 auth authenticate;
授权|授權 authorize authorization; 加密 encrypt; 解密 decrypt; 签名|簽章 signature sign; 证书|憑證 certificate; 验证|驗證 validate verify; 校验|校驗 validate check;
检查|檢查 check; 邀请|邀請 invite invitation; 成员|成員 member; 组织|組織 organization; 群聊 group chat; 聊天 chat; 群组|群組 group; 页面|頁面 page;
组件|元件 component; 按钮|按鈕 button; 菜单|選單 menu; 弹窗|彈窗 dialog modal popup; 输入框|輸入框 input; 输入法|輸入法 ime input; 输入|輸入 input; 输出|輸出 output;
显示|顯示 display show render; 隐藏|隱藏 hide; 渲染 render; 样式|樣式 style; 主题|主題 theme; 深色|暗色 dark; 颜色|顏色 color; 图片|圖片 image; 图标|圖示 icon;
滚动|捲動 scroll; 点击|點擊 click; 拖拽|拖曳 drag; 光标|游標 cursor; 快捷键|快速鍵 shortcut keybinding; 窗口|視窗 window; 终端|終端 terminal; 命令行 cli;
命令 command; 插件|外掛 plugin; 扩展|擴充 extension; 工具 tool; 调用|呼叫 call invoke; 模型 model; 提示词|提示詞 prompt; 模板|範本 template; 翻译|翻譯 translate translation;
语言|語言 language locale; 编码|編碼 encode encoding; 解码|解碼 decode; 解析 parse parser; 序列化 serialize; 反序列化 deserialize; 格式化 format; 格式 format;
转换|轉換 convert transform; 转义|跳脫 escape; 正则|正規 regex; 匹配 match; 替换|替換 replace; 分割 split; 截断|截斷 truncate; 长度|長度 length; 大小 size;
重复|重複 duplicate; 忽略 ignore; 记忆|記憶 memory; 历史|歷史 history; 状态|狀態 state status; 节点|節點 node; 树|樹 tree; 图|圖 graph; 循环|迴圈 loop;
递归|遞迴 recursive; 遍历|走訪 traverse iterate; 随机|隨機 random; 计算|計算 compute calculate; 统计|統計 statistics count; 限制 limit; 超过|超過 exceed; 阈值|閾值 threshold;
支付 payment pay; 订单|訂單 order; 购物车|購物車 cart; 商品 product; 价格|價格 price; 折扣 discount; 发票|發票 invoice; 邮件|郵件 mail email; 导航|導航 navigation`

const ENGLISH: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.split(';').flatMap((row) => {
    const [written = '', ...english] = row.trim().split(/\s+/)
    return written.split('|').map((word) => [word, english] as const)
  }),
)
const LONGEST = 6

/** What stands in code for the Chinese words of a text, in order; of words that begin together the longest. */
export function englishFor(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; ) {
    let length = Math.min(LONGEST, text.length - at)
    while (length > 0 && !ENGLISH.has(text.slice(at, at + length))) length--
    if (length > 0) found.push(...(ENGLISH.get(text.slice(at, at + length)) ?? []))
    at += Math.max(1, length)
  }
  return found
}
