/** Texts that would do something if anything took them for more than text. `pwned()` is what they try to call. */
export const PAYLOADS: readonly string[] = [
  '<script>pwned()</script>',
  '<SCRIPT SRC="data:text/javascript,pwned()"></SCRIPT>',
  '<img src=x onerror=pwned()>',
  '<img src="x" onerror="pwned()">',
  '<IMG SRC=`x` ONERROR=pwned()>',
  '<img/src=x/onerror=pwned()>',
  '<img src=x onload=pwned() onerror=pwned()//',
  '<svg onload=pwned()>',
  '<svg/onload=pwned()>',
  '<svg><script>pwned()</script></svg>',
  '<svg><animate onbegin=pwned() attributeName=x dur=1s>',
  '<svg><set onbegin=pwned() attributeName=x>',
  '<svg><a xlink:href="javascript:pwned()"><text>a</text></a></svg>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=pwned()></style>',
  '<math href="javascript:pwned()">a</math>',
  '<body onload=pwned()>',
  '<iframe src="javascript:pwned()"></iframe>',
  '<iframe srcdoc="<script>parent.pwned()</script>"></iframe>',
  '<object data="javascript:pwned()"></object>',
  '<embed src="javascript:pwned()">',
  '<link rel=stylesheet href="https://remote.example/a.css">',
  '<style>@import "https://remote.example/a.css";</style>',
  '<style>body{background:url(https://remote.example/a)}</style>',
  '<div style="background:url(https://remote.example/b)">a</div>',
  '<meta http-equiv=refresh content="0;url=javascript:pwned()">',
  '<base href="https://remote.example/">',
  '<form action="javascript:pwned()"><input type=submit autofocus onfocus=pwned()></form>',
  '<input autofocus onfocus=pwned()>',
  '<select autofocus onfocus=pwned()>',
  '<textarea autofocus onfocus=pwned()>',
  '<details open ontoggle=pwned()>',
  '<video src=x onerror=pwned()></video>',
  '<video><source onerror=pwned()></video>',
  '<audio src=x onerror=pwned()>',
  '<marquee onstart=pwned()>',
  '<isindex type=image src=1 onerror=pwned()>',
  '<button popovertarget=x>a</button><div popover id=x onbeforetoggle=pwned()>a</div>',
  '<a href="javascript:pwned()">a</a>',
  '<a href="jAvAsCrIpT:pwned()">a</a>',
  '<a href="java\tscript:pwned()">a</a>',
  '<a href=" javascript:pwned()">a</a>',
  '<a href="data:text/html,<script>pwned()</script>">a</a>',
  '<a href="vbscript:pwned()">a</a>',
  '<template><script>pwned()</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=pwned()>">',
  '<![CDATA[<img src=x onerror=pwned()>]]>',
  '<!--><img src=x onerror=pwned()>-->',
  '--><script>pwned()</script><!--',
  '</title><script>pwned()</script>',
  '</textarea><script>pwned()</script>',
  '</script><script>pwned()</script>',
  '"><script>pwned()</script>',
  "'><img src=x onerror=pwned()>",
  '" autofocus onfocus="pwned()',
  "' onmouseover='pwned()",
  '` onmouseover=pwned() `',
  '&lt;script&gt;pwned()&lt;/script&gt;',
  '&#60;img src=x onerror=pwned()&#62;',
  '\\u003cimg src=x onerror=pwned()\\u003e',
  '{{constructor.constructor("pwned()")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a template would take for its own.
  '${pwned()}',
  '#{pwned()}',
  '__proto__',
  'constructor',
  '[object Object]',
  'dangerouslySetInnerHTML={{__html:"<img src=x onerror=pwned()>"}}',
]

/** Where a link could lead that runs something. */
export const TARGETS: readonly string[] = [
  'javascript:pwned()',
  'JaVaScRiPt:pwned()',
  'javascript://remote.example/%0apwned()',
  'javascript&colon;pwned()',
  'javascript&#58;pwned()',
  'java&#x09;script:pwned()',
  'java&#x0a;script:pwned()',
  '&#x01;javascript:pwned()',
  '&#1;javascript:pwned()',
  '%6aavascript:pwned()',
  'javascript%3apwned()',
  'data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+',
  'data:text/html,<script>pwned()</script>',
  'data:image/svg+xml,<svg/onload=pwned()>',
  'vbscript:pwned()',
  'blob:null/0',
  'file:///etc/passwd',
  'view-source:javascript:pwned()',
  'about:blank#javascript:pwned()',
  '//remote.example/a',
  '\\\\remote.example\\a',
  'https://remote.example/a?b=c',
  'https://user:word@remote.example/',
  'https://remote.example\\@trusted.example/',
  'feed:javascript:pwned()',
  'jar:javascript:pwned()!/',
  'ws://remote.example/',
  'filesystem:https://remote.example/a',
]

/** As the name of a file: without what no name can have. */
export function asName(payload: string): string {
  return payload
    .replaceAll('/', '∕')
    .replace(/[\0\n]/g, '')
    .slice(0, 100)
}

/** Every way in which Markdown can lead somewhere. */
export function markdownOf(payloads: readonly string[], targets: readonly string[]): string {
  const texts = payloads.flatMap((each) => [
    each,
    `- ${each}`,
    `\`${each}\``,
    `**${each}** and [${each}](a.md "${each}")`,
  ])
  const links = targets.flatMap((each, at) => [
    `[link](${each})`,
    `[link](<${each}>)`,
    `<${each}>`,
    `![image](${each})`,
    `![image](<${each}>)`,
    `[reference][${at}] ![reference][${at}]`,
    `\n[${at}]: <${each}>`,
    `<a href="${each}">a</a>`,
    each,
  ])
  const blocks = payloads.map((each) => `\`\`\`html ${each}\n${each}\n\`\`\``)
  return `# Hostile\n\n${[...texts, ...links, ...blocks].join('\n\n')}\n`
}
