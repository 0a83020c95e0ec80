/** Parses a task into weighted words, identifiers, paths, stack frames and quotations. */

import { scanIdentifiers, termsOfText, termsOfWord, wholeOf, writtenParts } from './index/identifiers.ts'
import {
  type FrameMention,
  framesIn,
  pathsIn,
  type TaskLine,
  taskLines,
  withoutNoise,
} from './ranking/task-mentions.ts'

/** A parsed task. */
export interface TaskQuery {
  /** Weights of terms. */
  readonly terms: ReadonlyMap<number, number>
  /** A written word for each of the terms. */
  readonly words: ReadonlyMap<number, string>
  /** Identifiers as written, by folded name, with their weights. */
  readonly identifiers: ReadonlyMap<string, { readonly name: string; readonly weight: number }>
  /** The paths as written, with forward slashes. */
  readonly paths: readonly string[]
  readonly frames: readonly FrameMention[]
  /** Texts that a file may contain literally, in lower case. */
  readonly phrases: readonly string[]
  /** The lines with the request, at most `LONGEST_WANTED` characters, for models. */
  readonly wanted: string
}

/** Maximum parsed characters of a task: 64 kB and some. */
const MOST_CHARACTERS = 80_000
const IDENTIFIER_WEIGHT = 1.6
const BACKTICK_WEIGHT = 0.8
const TITLE_WEIGHT = 1.2
/** Maximum terms of a task whose title counts no extra. */
const FEW_TERMS = 25
const FEW_TERMS_TITLE_WEIGHT = 0.4
const MOST_ALIKE = 3
/** Inline code. */
const MOST_TICKED = 100
const MOST_PHRASES = 24
const SHORTEST_PHRASE = 8
const LONGEST_PHRASE = 160
const LONGEST_WANTED = 1000
/** Minimum score of a line for models. */
const WANTED_WEIGHT = 0.5
/** Weight of an English word for a Chinese one. */
const TRANSLATED_WEIGHT = 0.6
const HAN = /\p{Script=Han}/u
/** Weight of identifiers suggested by a model, less than that of the person's words. */
const SUGGESTED_WEIGHT = 0.6

/** Parses a task: an issue, a message, a log, a stack trace, a diff. `suggested`: identifiers of its likely subject. */
export function parseTask(text: string, suggested: readonly string[] = []): TaskQuery {
  const clean = withoutNoise(text.slice(0, MOST_CHARACTERS))
  const lines = taskLines(clean)
  const words = new WordWeights()
  const telling = onceEach(lines)
  for (const line of telling) words.addLine(line)
  for (const name of suggested)
    words.addLine({ text: `\`${name}\``, weight: SUGGESTED_WEIGHT, isTitle: false, isError: false })
  return {
    terms: words.terms(),
    words: words.words,
    identifiers: words.identifiers(),
    paths: pathsIn(clean),
    frames: framesIn(clean),
    phrases: phrasesIn(lines),
    wanted: wantedIn(telling),
  }
}

function wantedIn(lines: readonly TaskLine[]): string {
  const wanted = lines.filter(({ weight }) => weight >= WANTED_WEIGHT).map(({ text }) => text.trim())
  return wanted.join('\n').slice(0, LONGEST_WANTED)
}

/** Keeps the first few of lines that differ only by numbers, as in logs: a repetition is no request. */
function onceEach(lines: readonly TaskLine[]): TaskLine[] {
  const seen = new Map<string, number>()
  return lines.filter(({ text }) => {
    const key = text.replace(/\d+/g, '0')
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times <= MOST_ALIKE
  })
}

class WordWeights {
  readonly words = new Map<number, string>()
  readonly #sums = new Map<number, number>()
  readonly #title = new Set<number>()
  readonly #names = new Map<string, { name: string; weight: number }>()

  addLine({ text, weight, isTitle }: TaskLine): void {
    const ticks = tickedRanges(text)
    scanIdentifiers(text, (word, at) => {
      const isTicked = ticks.some(([start, end]) => at >= start && at < end)
      const isName = isIdentifier(word) || isCalled(text, at, at + word.length)
      const { parts, whole } = termsOfWord(word)
      const each = weight * ((isName ? IDENTIFIER_WEIGHT : 1) + (isTicked ? BACKTICK_WEIGHT : 0))
      for (const term of whole === undefined ? parts : [...parts, whole]) this.#addTerm(term, each, isTitle)
      if (HAN.test(word)) this.#addEnglish(word, weight, isTitle)
      for (const [term, part] of writtenParts(word)) if (!this.words.has(term)) this.words.set(term, part)
      if (whole !== undefined) this.words.set(whole, word)
      if ((isName || isTicked) && word.length > 2) this.#addName(word, isTitle ? each * 1.5 : each)
    })
  }

  #addTerm(term: number, weight: number, isTitle: boolean): void {
    this.#sums.set(term, (this.#sums.get(term) ?? 0) + weight)
    if (isTitle) this.#title.add(term)
  }

  /** Adds the English words for the Chinese words in a run of characters. */
  #addEnglish(run: string, weight: number, isTitle: boolean): void {
    for (const english of englishFor(run)) {
      for (const [term, part] of writtenParts(english)) {
        this.#addTerm(term, TRANSLATED_WEIGHT * weight, isTitle)
        if (!this.words.has(term)) this.words.set(term, part)
      }
    }
  }

  #addName(word: string, weight: number): void {
    const key = wholeOf(word)
    const known = this.#names.get(key)
    if (known) known.weight += weight
    else this.#names.set(key, { name: word, weight })
  }

  terms(): ReadonlyMap<number, number> {
    const bonus = this.#sums.size <= FEW_TERMS ? FEW_TERMS_TITLE_WEIGHT : TITLE_WEIGHT
    return new Map([...this.#sums].map(([term, sum]) => [term, Math.log1p(sum) + (this.#title.has(term) ? bonus : 0)]))
  }

  identifiers(): TaskQuery['identifiers'] {
    return new Map([...this.#names].map(([key, { name, weight }]) => [key, { name, weight: Math.log1p(weight) }]))
  }
}

function tickedRanges(text: string): (readonly [number, number])[] {
  return [...text.matchAll(/`([^`]{1,400})`/g)]
    .slice(0, MOST_TICKED)
    .map(({ 0: match, index }) => [index, index + match.length] as const)
}

/** A spelling of names in programs: `camelCase`, `snake_case`, `CONSTANT_CASE`, `Name2`. */
function isIdentifier(word: string): boolean {
  return /[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Za-z\d]_[A-Za-z\d]|^_+[A-Za-z]|[A-Za-z]\d/.test(word)
}

/** A name before a bracket, or a member. */
function isCalled(text: string, start: number, end: number): boolean {
  if (/^\((?! )/.test(text.slice(end, end + 2))) return true
  const before = text.slice(Math.max(0, start - 2), start)
  const after = text.slice(end, end + 2)
  return /[\w)\]]\.$|::$|->$|^[@#]$/.test(before) || /^(?:\.[A-Za-z_]|::|->)/.test(after)
}

/** Quotations, and lines with an error. */
function phrasesIn(lines: readonly TaskLine[]): string[] {
  const found = new Set<string>()
  const add = (text: string) => {
    const phrase = text.trim().toLowerCase()
    if (phrase.length >= SHORTEST_PHRASE && phrase.length <= LONGEST_PHRASE) found.add(phrase)
  }
  for (const { text, isError, weight } of lines) {
    if (found.size >= MOST_PHRASES || weight < 0.5) continue
    for (const [, double, single, ticked] of text.matchAll(
      /"([^"\n]{4,160})"|(?<!\w)'([^'\n]{4,160})'|`([^`\n]{4,160})`/g,
    )) {
      const quoted = double ?? single ?? ticked ?? ''
      if (quoted.includes(' ')) add(quoted)
    }
    if (isError) for (const window of errorWindows(text)) add(window)
  }
  return [...found].slice(0, MOST_PHRASES)
}

/** Each three words in a row of an error message, such as `ValueError: too many values to unpack`. */
function errorWindows(text: string): string[] {
  const message = text.slice(text.lastIndexOf(': ') + 1).trim()
  const words = message.split(/\s+/).slice(0, 12)
  if (words.length < 3) return []
  return words.slice(2).map((_, at) => words.slice(at, at + 3).join(' '))
}

/** Number of the weightiest terms that judge a passage. */
const COUNTED = 12

/** A text's share of the weight of a task: 0 to 1. `gains`: the weight of each term. */
export function termCoverage(text: string, gains: ReadonlyMap<number, number>): number {
  const held = termsOfText(text)
  const counted = [...gains].sort(([, a], [, b]) => b - a).slice(0, COUNTED)
  const sum = (terms: readonly (readonly [number, number])[]) => terms.reduce((all, [, gain]) => all + gain, 0)
  const all = sum(counted)
  return all === 0 ? 0 : sum(counted.filter(([term]) => held.has(term))) / all
}

/** Chinese words, simplified and then traditional if that differs, with their English words in code. */
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

/** The English words for the Chinese words of a text, in order. The longest Chinese word wins. */
function englishFor(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length; ) {
    let length = Math.min(LONGEST, text.length - at)
    while (length > 0 && !ENGLISH.has(text.slice(at, at + length))) length--
    if (length > 0) found.push(...(ENGLISH.get(text.slice(at, at + length)) ?? []))
    at += Math.max(1, length)
  }
  return found
}
