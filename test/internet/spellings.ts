const BY_KIND: Readonly<Record<string, string>> = {
  'loopback, as a name':
    'localhost LOCALHOST localhost. localhost.. a.localhost a.b.localhost. ｌｏｃａｌｈｏｓｔ ⓛocalhost local%68ost',
  'loopback, with dots':
    '127.0.0.1 127.0.0.1. 127.1 127.0.1 127.255.255.254 127.0.0.1%2E 127。0。0。1 127．0．0．1 127｡0｡0｡1',
  'loopback, as one number':
    '2130706433 2130706433. 0x7f000001 0X7F000001 0x7f.1 017700000001 00000000017700000001 0x7f000001. ' +
    '%32130706433',
  'loopback, in octal and hex parts':
    '0177.0.0.1 0177.0.0.01 0x7f.0x0.0x0.0x1 0x7f.0.0.1 127.0x0.00.1 0177.1 00177.0.0.1 127.00.000.01',
  'loopback, in other digits': '①②⑦.⓪.⓪.① １２７.０.０.１ 𝟏𝟐𝟕.𝟎.𝟎.𝟏 𝟣𝟤𝟩.0.0.1 ₁₂₇.0.0.1 ¹²⁷.0.0.1 0ₓ7f.1',
  'this host': '0 0.0.0.0 0x0 00 0.0 0.1.2.3 [::] [0:0:0:0:0:0:0:0] [::0.0.0.0]',
  'private networks':
    '10.0.0.1 10.255.255.255 10.1 0x0a000001 167772161 012.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 ' +
    '192.168.1 3232235521 0xc0a80001 0300.0250.0.1 192.168.0.1.',
  'shared, link-local and metadata':
    '100.64.0.1 100.127.255.255 100.100.100.200 169.254.0.1 169.254.169.254 2852039166 0xa9fea9fe ' +
    '0251.0376.0251.0376 169.254.43518 169.16689662 [::ffff:169.254.169.254] [fd00:ec2::254] 168.63.129.16 ' +
    '192.0.0.192 metadata.google.internal metadata.google.internal.',
  'networks that lead nowhere':
    '192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.255 192.88.99.1 224.0.0.1 239.255.255.250 ' +
    '240.0.0.1 255.255.255.255 4294967295',
  'IPv6 of this machine and network':
    '[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [::0.0.0.1] [fe80::1] ' +
    '[fe80::1%25eth0] [febf::1] [fec0::1] [fc00::1] [fdff:ffff::1] [ff02::1] [ff05::2]',
  'IPv4 in IPv6':
    '[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:10.0.0.1] ' +
    '[::ffff:c0a8:1] [::ffff:0.0.0.0] [::127.0.0.1] [::7f00:1] [::10.0.0.1] [::ffff:0:127.0.0.1] ' +
    '[::ffff:0:7f00:1]',
  'IPv4 by way of others':
    '[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b:1::7f00:1] ' +
    '[64:ff9b:1:fffe::10.0.0.1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:c0a8:1::1] [2001:0:7f00:1::] ' +
    '[2001::1] [2001:db8::1] [2001:10::1] [100::1] [3fff::1] [5f00::1] [4000::1]',
  'names of a network of its own': 'printer.local wiki.internal router.lan nas.home.arpa x.intranet hidden.onion',
}

/** Spellings of places that no page is read from, by kind. Documents of the URL standard say what a browser makes of them. */
export const SPELLINGS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(BY_KIND).map(([kind, hosts]) => [kind, hosts.split(' ')]),
)

/** What no host of a public page is, however it is written: each is refused before anything is asked. */
export const HOSTS: readonly string[] = Object.values(SPELLINGS).flat()
