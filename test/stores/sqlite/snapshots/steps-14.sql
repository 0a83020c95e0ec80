PRAGMA user_version = 14;
CREATE TABLE collections (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    patterns TEXT NOT NULL,
    exclude TEXT NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    indexed_at TEXT
  , substrings INTEGER NOT NULL DEFAULT 0, documents INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, access TEXT NOT NULL DEFAULT '{}') STRICT;
INSERT INTO collections VALUES(1,'docs','/home/ada/docs','[]','[]',0,'2026-11-29T17:58:04.679Z','2026-11-29T17:58:05.705Z',0,2,130,'{}');
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id INTEGER NOT NULL REFERENCES collections(id),
    path TEXT NOT NULL,
    hash BLOB NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime TEXT NOT NULL,
    ctime TEXT NOT NULL,
    modified_at TEXT NOT NULL,
    metadata TEXT NOT NULL, substrings INTEGER NOT NULL DEFAULT 0,
    UNIQUE (collection_id, path)
  ) STRICT;
INSERT INTO documents VALUES(1,1,'boats.md',X'7e659492f56c9333a6b95e6424d50f3eaf9f40f6e381aedeca02d8efc62aadaf','Boats','markdown',53,'1795975084060913704','1795975084060913704','2026-11-29T17:58:04.060Z','{}',2);
INSERT INTO documents VALUES(2,1,'lions.md',X'254d29dc29c9df086384477f8138afad77bebd54d8b5611a98c27089ba179c26','Lions','markdown',77,'1795975084060913704','1795975084060913704','2026-11-29T17:58:04.060Z','{"author":"Ada"}',2);
CREATE TABLE skipped (
    collection_id INTEGER NOT NULL REFERENCES collections(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime TEXT NOT NULL,
    ctime TEXT NOT NULL,
    why TEXT NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (collection_id, path)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE texts (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    deflated BLOB NOT NULL
  ) STRICT;
INSERT INTO texts VALUES(1,X'535670ca4f2c29e6725448ca4f2c5148cb01f1741412f35214324b8a15324a73721432128b15d2f24b8b1492528b4a328af5b800');
INSERT INTO texts VALUES(2,X'05c1310a80300c05d03da7f8e01c0fe0e6eee80502ada450126952a4b7f73d662699a93e0e9c45889969c3d5dc826eade8cd0d266fa019522b621a1e1fc8af5a2ea8cf111014593bfd');
CREATE TABLE path_contexts (
    collection TEXT NOT NULL DEFAULT '',
    path_prefix TEXT NOT NULL,
    context TEXT NOT NULL CHECK (trim(context) <> ''),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (collection, path_prefix)
  ) STRICT, WITHOUT ROWID;
INSERT INTO path_contexts VALUES('docs','/','Facts','2026-11-29T17:58:04.971Z','2026-11-29T17:58:04.971Z');
CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- 0 while it is being written.
    active INTEGER NOT NULL DEFAULT 0,
    docs INTEGER NOT NULL DEFAULT 0,
    ids BLOB,
    body_lengths BLOB,
    title_lengths BLOB,
    live_docs INTEGER NOT NULL DEFAULT 0,
    live_body INTEGER NOT NULL DEFAULT 0,
    live_title INTEGER NOT NULL DEFAULT 0,
    dead BLOB
  , holder TEXT) STRICT;
INSERT INTO segments VALUES(1,1,2,X'0100000002000000',X'0a0000000e000000',X'0300000003000000',2,24,6,NULL,'{"id":"d5b512ee-db1c-4e3e-9283-db4a4c87afb2","pid":5482,"host":"vm"}');
CREATE TABLE postings (
    segment INTEGER NOT NULL,
    term TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (segment, term)
  ) STRICT, WITHOUT ROWID;
INSERT INTO postings VALUES(1,'a',X'02000200');
INSERT INTO postings VALUES(1,'ada',X'010200');
INSERT INTO postings VALUES(1,'and',X'010000');
INSERT INTO postings VALUES(1,'author',X'010200');
INSERT INTO postings VALUES(1,'berth',X'010000');
INSERT INTO postings VALUES(1,'boat',X'010102010102');
INSERT INTO postings VALUES(1,'dai',X'010200');
INSERT INTO postings VALUES(1,'float',X'010000');
INSERT INTO postings VALUES(1,'for',X'010200');
INSERT INTO postings VALUES(1,'four',X'010000');
INSERT INTO postings VALUES(1,'ha',X'010000');
INSERT INTO postings VALUES(1,'hour',X'010200');
INSERT INTO postings VALUES(1,'hull',X'010000');
INSERT INTO postings VALUES(1,'in',X'010200');
INSERT INTO postings VALUES(1,'it',X'010000');
INSERT INTO postings VALUES(1,'lion',X'010302010302');
INSERT INTO postings VALUES(1,'md',X'00020002');
INSERT INTO postings VALUES(1,'nap',X'010200');
INSERT INTO postings VALUES(1,'sun',X'010200');
INSERT INTO postings VALUES(1,'the',X'01030200');
INSERT INTO postings VALUES(1,'twenti',X'010200');
CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    -- Milliseconds since 1970.
    expires INTEGER NOT NULL
  ) STRICT;
CREATE TABLE vector_models (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    -- A number of 32 bits for each dimension.
    centre BLOB NOT NULL
  ) STRICT;
CREATE TABLE vector_contents (
    model_id INTEGER NOT NULL REFERENCES vector_models(id) ON DELETE CASCADE,
    hash BLOB NOT NULL,
    PRIMARY KEY (model_id, hash)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model_id INTEGER NOT NULL,
    hash BLOB NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    bits BLOB NOT NULL,
    FOREIGN KEY (model_id, hash) REFERENCES vector_contents(model_id, hash) ON DELETE CASCADE
  ) STRICT;
CREATE TABLE vector_bytes (
    vector_id INTEGER PRIMARY KEY REFERENCES vectors(id) ON DELETE CASCADE,
    scale REAL NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
CREATE TABLE changes (
    what TEXT PRIMARY KEY,
    count INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO changes VALUES('contexts',1);
CREATE TABLE research_sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    question TEXT NOT NULL,
    follows TEXT,
    status TEXT NOT NULL DEFAULT 'created',
    -- Counts the changes of its files.
    revision INTEGER NOT NULL DEFAULT 0,
    settings TEXT NOT NULL,
    -- What is asked of the process that runs it; '' for nothing.
    wanted TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  , owner TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO research_sessions VALUES(1,'3dfe88d0700dd537405765e32a04be19','How many berths has a boat?',NULL,'completed',1,'{"models":{"digest":"extractive","queries":"extractive","synthesis":"extractive","sufficiency":"extractive","decompose":"extractive","router":"extractive","report":"extractive"},"budget":{"calls":400,"tokens":4000000,"ms":3600000,"depth":3,"nodes":60},"concurrency":4,"collections":[],"web":false,"plan":false,"contextInQueries":false,"allowedDomains":[],"blockedDomains":[]}','','2026-11-29T17:58:08.315Z','2026-11-29T17:58:09.050Z','');
CREATE TABLE research_files (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES research_sessions(id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    alias TEXT NOT NULL,
    size INTEGER NOT NULL,
    type TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    revision INTEGER NOT NULL,
    -- A run may have bound it: it is kept, and its alias is of no other.
    removed INTEGER NOT NULL DEFAULT 0,
    added_at TEXT NOT NULL,
    UNIQUE (session, alias)
  ) STRICT;
INSERT INTO research_files VALUES(1,'3dfe88d0700dd537405765e32a04be19','038dc7a7a840e97aaca48cd067f5e2a1','boats.md','boats.md',53,'','7e659492f56c9333a6b95e6424d50f3eaf9f40f6e381aedeca02d8efc62aadaf',1,0,'2026-11-29T17:58:08.431Z');
CREATE TABLE research_events (
    session TEXT NOT NULL REFERENCES research_sessions(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',1,'2026-11-29T17:58:08.465Z',X'6550316ec3300cfc8ac159405ca4c8a0a54b8776ec5c14052dd1b6105974453a8911f8ef85d2a480134dba3be278bc33e83c1258c853fa16c5ace4c1c09ee635b7d98001e5e8c19ee16722d1c0092cbcf1b11a30cd5543597ba97a940aab86515fc040a64390cbe0930121d5903a290e037b8a979f0f1d8982053a6946a7e14060ca861c48ee699993f624e15198da36b840c995dc2bc993e361642947ae84cc93527e6069e47c976731d04cbe232d811dc692fcb9ae4b217b4a7fa03c038380ddeeaec0d3a83dd8ad81c4be1cb3ab17038e632457ea13b09f5f068ed4806d310a191823a67fe038299df43d7ddcdab80a18231fc9bff280e1e6d24476fb15b72c0606f4544213e618cab167185104bbe25646965f');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',2,'2026-11-29T17:58:08.482Z',X'85ca310e80200c05d0bbfc99c4b8f632a4da6a8808043a480877379ec0e92d6fc07a5110f69c4c1ff35b4812d2e90bd7f6d98caba9c0e1d2feff96050e96a380068e10b579cbc611b44e879b454163ce17');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',3,'2026-11-29T17:58:08.642Z',X'8d50416ec3300cfb8ac1b3d73457dff6861d8722706ca5f5ead8812d17090aff7d50f6819d44481449e90d3e368281cb8969e7690ec987749f365baad425449a5c5eb7484c1e1a4f3afe4d1f86111a9ca3877923244f3bcc281db6f144c287c19c2dd7cb2afa952db70a8342d61fe81aabf524fbc2fd18071fee54591a2f1bdb39094c6b85f97ee3199287c1621d8b33ed0c834f25fa6a89e2a2954d5e05aeead162540f5bd5925b5133157ed48b24c8ad38123d7c8db8f59b46a11f7272bfb9768dba513a03381b6385b96a84b4353e516efc07bbc62cafa29d8b751c5e84defb2f');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',4,'2026-11-29T17:58:08.696Z',X'8d924d8edb300c85af62702d64e47f5bbb76d10b7439080c5aa21c751c3990e43681e1bb17f464a6985d57a6053e3ebe4fda203d6e040af4e213ddd3303a6f9c9f861b86c85fbd5c6f33253220e08d1effd3f9f20202d2321b501b5837531c02a17980cac5f39f4258022829c025bac6412fab4fa0f25dc0150db1705cbd998f2a528c6ef1c387b133a0a03496bacec8564a63eab2ad64dd36359505ca6aa4bc3fe52020d06fc7d27fcea05e373806c8b233bac516bb4a52df226aac3a6d64d3da9a0a64b9c72ba319174cf1746502383b8c5f8fe2058bba01052d35755ff585ad1bdd976589cdd8d7d45445656a694b42dbdb4ada86ca2e4732a45116a623ab9b02d1a0e55909d3caf3df7909482e3103f8ce7edc70431f8f3407b7a30af48b345f10e3fc83c13b3f71cef37e1680d31468c244837113c5c43c9fd20f103f38ea9bf35c5bd4896de99e40c1b78c736676667791a137994b31bbacf39c5d30667659433652489778e2e59635e803f1271fa57ee670decfbb80b0ac899f89f386eebc06f9e492e3fe6d17909097de9e49d52bafc5b2cfa1dbd7a11f1dfb2ee03d1a13c8f7fd2f');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',5,'2026-11-29T17:58:08.726Z',X'5dc8310a03211005d0abc8af85c5769ab4c929c22c33e012578dce1244bc7b20655ef9266c54052117d167376ea6028f978ebfdcc206ff9b878010e061250968e27d69b7a36410eee5e34ecec3edda2c7617b93b767b61bbc143b45a04058fca4db381f295d2f238591434d7fa02');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',6,'2026-11-29T17:58:08.729Z',X'75cd410a03211044d1bbd4ba6170eb0d720a19ec0a0919edc1e94044bc7b30fb2c3f6ff107bc9f4444b6eafc78ba5b4bd594a971d70ec18bfd2f6f618360f54d111120703b14714079fa0331082e1ecc4e4d4f67b952b677f51f14d3756e668e2928fbca31e717');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',7,'2026-11-29T17:58:08.741Z',X'85ce410ac2301404d0ab84590762b7d9b8d53388c86ff3a1c53489cd4fb594dc5daae8c685bb619807b34296c4b0b8159e06ce97e4290476d0b8f2f2db9bc6402344c747078b061a12bd835d3f4bd8130ef1ae460a8b6a79923eab9eb222d546923dce556324c71b69cc17ad98c917feab3572e2201be8c8fb0cbbd318422af24ab1c83b568d76fbcf0f99a8936166d45a9f');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',8,'2026-11-29T17:58:08.817Z',X'8d90b16ec3300c447f45b8ac4a64a19b96a29d1a207fd004812231b5515972251aad11f8df0bd9590a64e8c6238fbc07dec0d340302864b36bcf2ef54320260f894f9a1e0c94560d2462f2b4f730d090e0143ccc0d5f23e5baf396be456fe3242e94b92da2b545587149969f2151d2985dcd74290472dca5582091a98c81cbd9a531328c9e257aeba9ded5aab7d37625a97aada8c0e8a69118ecc7bd9e25b45aa7db66713ecefa1fe8604b594fbfdf90e90a03db5f3a364af9e48aaabeb2ebfde6a0b787a7fab12ed697fccde28e432578adeeaae98761b0114be3185f963c710d554a61a3171d17d18e212c3cd734e63bdfee18319f24da8e2bd4699ee75f');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',9,'2026-11-29T17:58:08.863Z',X'cd92bd4eec3010855fc53ab73564039d1b74bb8b4447b95aa1597b7663e1d85166b210567977e4c00a0a3a9adb1d7becefccdf193a0f0c875c023fc99cb563896f1c60f1ccf30f81a66d60d7dbfb008716165a52803be3107388f9284fbe4c59e16e2cf8140367cf705bf892127b8d250b2c7cc9caaf8add62d153e00a689b9ee6ab9169c509d3e83b16b876b3b118e8f8a9178bb619685481db9eb1621cfe9517d3539ecd9e47edc4742486ccbe90dec182b2bcf0c835e599abff25d9ef88bfeb7373488554aca11c4c5431dd94d28a3b9469fcc45fc362e4031cea17b9ee83738fb519cf3157934b798bfd1d9dfa7d54d734a178692e567f1edaab87dbef665f9d5d76167d1489f908b7ddd563db5ce627b5af274a531dc8ef12fb0fcb9681ebda9de1292581db58c43c4cbaaa32e9875c2cf675b1f95547f21a4f8c6559de01');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',10,'2026-11-29T17:58:08.922Z',X'ad50310ec23010fb4ae539a274cd0fd8d9104221b996889294dea55045f93b6a19606064b36ccbb69c21f340d008d1d18953db7aeb29d8190a579a7f08755343adecce41a38182c4de416778fe18055ac6440a23198ec1870e1afb0b55347947c15265023f68e44a2e54dd13b1f8183650e8ccc0d0876351b819474b70537f2fd31993e9d3aafcbd92873528c39abe67e8ad820f439215c5246f5814cecb39f494d158f113a194f202');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',11,'2026-11-29T17:58:08.934Z',X'65cc310ac3300c05d0bbfcd910b2ea063d4329c5487f0875ac502b6983f1dd0b59bbbee175c4b91182eac6a7faba15060d092f9e7f3ccd13d2653783604642783148478b1c7b8320d7f6e1fb2a782cc6aa84dca15e83df40827a29d458bc363c46c29a8d903ec60f');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',12,'2026-11-29T17:58:08.939Z',X'7dcb3b0a80301005c0bbbc5a489fcb84c53c25981f9bb59090bb5bd8dbcf4cd8d3090f656f6ae164a58aa556c3305163c4868bcf9f704eef1af6567ae617ace5083f9146e8a29624c31f9207d7862291f073ad17');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',13,'2026-11-29T17:58:08.948Z',X'75ca410ac3201005d0bbfcb510ba9dcb88d58186aa23e61b1ac4bb17bae82eebf726783585a06bb34e1fad523ff4810cf1a5090e6fbdee7ddbfaa83e5a6959f9ebb49c2013ff79863d87675608fb50879d5a0e1f6d54421ecba184a490b9d617');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',14,'2026-11-29T17:58:09.025Z',X'ad54c16e1b3710fd95c1f892048c2d5956ec6c0f450ab4e8b5c8d116048a9c950853e486c39522080bf8439a9ff39704c3dd8de5a6301220372e877cf3dedbc739623e348415266a62cacb35054a3abb1896266e1b4f992c2abca7c3cb672e2e52fbfc4a8ede6275c475d2561ad4adf7a8d06c7462acae6613851cdb64889726b621633555f8a98d9978d9a4b8a370bad386716fa2d078edb6b2c76d238cc86235e9146e4ba7235ef44465b9d3be95ee6767f021f09ed25db80b6fe1f1e1df0fb08a3a43eda3ceac40070b2e336c5aef61a319ead8265851ca1b3e7f7cf802b7729ccfb7b6aa3e4e17a8901b12d64734da7b2ec45c68da5c56b1cdfdb253b812efe8734eda64b723ecd4e0a45c666216279dc50a67b6a69b1b3bb99e4cac9dcfaeaf26f3eb77739a5deac9d58aa6ef51fc2016ebb1c2bfe31eb63a1c069685b52eaa7e47f55fdf1d2f1b9db2d31eab5a7b26b12bdddbb817a83378014c2c7bf3e78ed201c6ee7d39802e9e820b903704b4739682a1f33772e5575b3e60fe3350e01e76fa127378d51324fbdb3772159818327dce0a4cf49e4c017b3da07fec23d9633fef5f20e54b817781e052411b2c2551f687941e1fbe0c2842c965d86b06c9648ff694800aac5b1367257e2647ac80dbba76c6513007057c087943ec58411f1401f8cb79e2aa87fac60ba6e0326da14e710b53e04687bb20d9ec6560757bc4443556782a451eb40b12b8c10a79ae2e7b894b51820a6b573ec76ba8504473896cd692dd4b852420979dc258d74cf9b47a3354e752de90b62eac85cfd060a1b034aef0674281dd42e12ae9603683b8f26c44d00fbf0bce3ab78c158ed14085633684df932527f110be6bdd48cf85703031d4de19517c7b521ac795f87032c39e86d7eda2eb47e078b31f6545cae0c7cfbf935e9498fe7e36b83e9d5f29342e97295d6c7ff6ff170a7794ac33d2f069888ab236dc87b80fcb44f54091b35ef792fad40adac9342ba24b8abf2f9ca4fa7f8a63cabf2f8de3f1f97ef7c333b7ebbaaf');
INSERT INTO research_events VALUES('3dfe88d0700dd537405765e32a04be19',15,'2026-11-29T17:58:09.045Z',X'5d8b3b0ac0201005eff2ea05537b9920ee2685eb07a38588770fa64c370c33136d148145ede9f4391695260c4290f1b7c680d0b232ecc45d1defefeaaa2078a7fac01e3b0892362e42fc9ab9d60b');
CREATE TABLE research_bytes (
    sha256 TEXT PRIMARY KEY,
    data BLOB NOT NULL
  , key TEXT) STRICT;
INSERT INTO research_bytes VALUES('7e659492f56c9333a6b95e6424d50f3eaf9f40f6e381aedeca02d8efc62aadaf',X'','uploads/ea02e8cbe97369d6b8e2ec8eb9ad7ed9/7e/7e659492f56c9333a6b95e6424d50f3eaf9f40f6e381aedeca02d8efc62aadaf.de149d846b95df8f');
CREATE TABLE research_kept (
    key TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL REFERENCES research_bytes(sha256) ON DELETE CASCADE,
    data BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
INSERT INTO research_kept VALUES('digest 27da0ab80c252b7f4303c5c3dc55546141243bd96f9bbae8d4a9242be99ac938 spans-2 extractive-3','7e659492f56c9333a6b95e6424d50f3eaf9f40f6e381aedeca02d8efc62aadaf',X'25cd310e83300c46e1ab58ff1c5574cdd63374ac184c30226d4a50ec202a94bb57b4db37bd7760e35405fe4034792bfce3c02b2e233c260e060793dde071a321b3d194329b3ae265a4684a734d8966569a722d3448b1592f70d05c4b90b387fb157deb1d8a3c25988cf05d73d055163bbf815352f8ce212e6bb59f72b53f9bc3f08187ec563858dc04ed0b');
INSERT INTO research_kept VALUES('text 7e659492f56c9333a6b95e6424d50f3eaf9f40f6e381aedeca02d8efc62aadaf md','7e659492f56c9333a6b95e6424d50f3eaf9f40f6e381aedeca02d8efc62aadaf',X'558d410ac3300c04bf22d4abe9037c6bbfd1f4a060bb31b12d90649212f2f7e0de7a9c65d8399057f4263d3a4c2c950c3d569235f0d6d0a1652b113d3e994c07c77d1837f80d537bc0cc6490ca4007d4026453587a29b09042e22e3047b145efd338acd1289011fae374a8df66b4ff27379296db47d1bfdee705');
CREATE TABLE conversations (
    number INTEGER PRIMARY KEY,
    owner TEXT NOT NULL DEFAULT '',
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    place TEXT NOT NULL,
    model TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (owner, id)
  ) STRICT;
INSERT INTO conversations VALUES(1,'','H3kcw7iKKNP0UYQQBI2qXA','How long does a lion nap?','ambit://docs','local/extractive','2026-11-29T17:58:06.601Z','2026-11-29T17:58:07.231Z');
CREATE TABLE exchanges (
    number INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations(number) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    id TEXT NOT NULL,
    question TEXT NOT NULL,
    place TEXT NOT NULL,
    model TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    ended TEXT,
    shown TEXT NOT NULL,
    messages TEXT NOT NULL,
    whole INTEGER NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (conversation, at)
  ) STRICT;
INSERT INTO exchanges VALUES(1,1,0,'9cB5frsIFHG1cZVzissJlg','How long does a lion nap?','ambit://docs','local/extractive','2026-11-29T17:58:06.600Z','done','{"parts":[{"type":"step-start"},{"type":"dynamic-tool","toolCallId":"local-3-0","toolName":"search","input":{"query":"How long does a lion nap?"},"state":"output-available","output":"<sources>\n[2] ambit://docs/lions.md\n</sources>\n<results query=\"How long does a lion nap?\" mode=\"lexical\" total=\"1\" shown=\"1\">\n<hit docid=\"#254d29dc\" uri=\"ambit://docs/lions.md\" title=\"Lions\" lines=\"4-5\" score=\"0.5097\">\n<path-context scope=\"collection\" prefix=\"/\">\nFacts\n</path-context>\n# Lions\nThe lion naps in the sun for twenty hours a day.\n</hit>\n</results>\n<notice>\nNo document holds \"long\".\n</notice>\n"},{"type":"step-start"},{"type":"dynamic-tool","toolCallId":"local-5-0","toolName":"read","input":{"path":"ambit://docs/lions.md","lines":"1-305"},"state":"output-available","output":"<sources>\n[2] ambit://docs/lions.md\n</sources>\n<document uri=\"ambit://docs/lions.md\" docid=\"#254d29dc\" path=\"/lions.md\" title=\"Lions\" lines=\"1-5\" total=\"5\">\n<path-context path=\"/lions.md\">\nFacts\n</path-context>\n---\nauthor: Ada\n---\n# Lions\nThe lion naps in the sun for twenty hours a day.\n\n</document>\n"},{"type":"step-start"},{"type":"text","text":"> The lion naps in the sun for twenty hours a day.\n\n[2] ambit://docs/lions.md:5, under “Lions”\n\nQuoted by Ambit''s built-in model local/extractive, which only looks up and quotes. Set AMBIT_MODEL=provider/model, such as anthropic/…, openai/… or openai-compatible/…, to talk with another.","state":"done"}],"facts":{"place":"ambit://docs","model":"local/extractive","askedAt":"2026-11-29T17:58:06.600Z","context":{"place":"ambit://docs","parts":1,"tokens":29},"usage":{"input":0,"cached":0,"output":0,"cost":0},"citations":[{"number":2,"place":"ambit://docs/lions.md"}],"end":{"reason":"done"}}}','[{"role":"context","text":"<place>\nambit://docs\n</place>\n<sources>\n[1] ambit://docs\n</sources>\n<path-context path=\"/\">\nFacts\n</path-context>\n"},{"role":"user","text":"How long does a lion nap?"},{"role":"assistant","parts":[{"type":"call","id":"local-3-0","tool":"search","input":{"query":"How long does a lion nap?"}}]},{"role":"tool","results":[{"id":"local-3-0","tool":"search","text":"<sources>\n[2] ambit://docs/lions.md\n</sources>\n<results query=\"How long does a lion nap?\" mode=\"lexical\" total=\"1\" shown=\"1\">\n<hit docid=\"#254d29dc\" uri=\"ambit://docs/lions.md\" title=\"Lions\" lines=\"4-5\" score=\"0.5097\">\n<path-context scope=\"collection\" prefix=\"/\">\nFacts\n</path-context>\n# Lions\nThe lion naps in the sun for twenty hours a day.\n</hit>\n</results>\n<notice>\nNo document holds \"long\".\n</notice>\n","isError":false}]},{"role":"assistant","parts":[{"type":"call","id":"local-5-0","tool":"read","input":{"path":"ambit://docs/lions.md","lines":"1-305"}}]},{"role":"tool","results":[{"id":"local-5-0","tool":"read","text":"<sources>\n[2] ambit://docs/lions.md\n</sources>\n<document uri=\"ambit://docs/lions.md\" docid=\"#254d29dc\" path=\"/lions.md\" title=\"Lions\" lines=\"1-5\" total=\"5\">\n<path-context path=\"/lions.md\">\nFacts\n</path-context>\n---\nauthor: Ada\n---\n# Lions\nThe lion naps in the sun for twenty hours a day.\n\n</document>\n","isError":false}]},{"role":"assistant","parts":[{"type":"text","text":"> The lion naps in the sun for twenty hours a day.\n\n[2] ambit://docs/lions.md:5, under “Lions”\n\nQuoted by Ambit''s built-in model local/extractive, which only looks up and quotes. Set AMBIT_MODEL=provider/model, such as anthropic/…, openai/… or openai-compatible/…, to talk with another."}]}]',0,'{"told":[["[\"path-context\",{\"path\":\"/\"}]",["753e4026c69b71cf1e127ab086b95f04cbcbcce7224056a4fc8526aaa1bd3bfe"]]],"files":[["ambit://docs",[]]],"touched":["/home/ada/docs/lions.md"],"cited":[["753e4026c69b71cf1e127ab086b95f04cbcbcce7224056a4fc8526aaa1bd3bfe","ambit://docs"]],"sources":["ambit://docs","ambit://docs/lions.md"],"standing":"ambit://docs","model":"local/extractive"}');
CREATE TABLE tokens (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- Of the secret, which nobody keeps.
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- JSON: lists of words. NULL where all collections are meant.
    scopes TEXT NOT NULL,
    collections TEXT,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    used_at TEXT,
    revoked_at TEXT
  ) STRICT;
INSERT INTO tokens VALUES(1,'ff745304194d13c1ba96ba04c56032ab','342ed808520550c7a3539b4d5fd085c88774c78656669e555e99af78cb9f4069','reader','["read"]','["docs"]','2026-11-29T17:58:09.773Z','2035-02-15T17:58:09.772Z',NULL,NULL);
CREATE TABLE research_gone (
    key TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
CREATE TABLE identity (
    id TEXT PRIMARY KEY
  ) STRICT, WITHOUT ROWID;
INSERT INTO identity VALUES('ea02e8cbe97369d6b8e2ec8eb9ad7ed9');
CREATE TABLE sign_ins (
    number INTEGER PRIMARY KEY,
    -- Of what the cookie holds, which nobody keeps.
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- NULL where it did not come by one.
    token TEXT,
    -- JSON: a list of words. NULL where a token or a name says it.
    scopes TEXT,
    basis TEXT NOT NULL,
    began TEXT UNIQUE,
    expires_at TEXT NOT NULL
  , device TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
CREATE TABLE answer_words (
    number INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    conversation TEXT NOT NULL,
    -- Whom it is said to: what is said of one answer is not heard by the next.
    giver TEXT NOT NULL,
    word TEXT NOT NULL
  ) STRICT;
CREATE TABLE index_jobs (
    collection_id INTEGER PRIMARY KEY REFERENCES collections(id) ON DELETE CASCADE,
    owner TEXT NOT NULL,
    forced INTEGER NOT NULL,
    -- queued, running, done, failed, stopped.
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    asked_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('segments',1);
INSERT INTO sqlite_sequence VALUES('documents',2);
INSERT INTO sqlite_sequence VALUES('research_sessions',1);
INSERT INTO sqlite_sequence VALUES('research_files',1);
CREATE INDEX documents_hash ON documents(hash);
CREATE INDEX vectors_content ON vectors(model_id, hash);
CREATE TRIGGER contexts_inserted AFTER INSERT ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END;
CREATE TRIGGER contexts_updated AFTER UPDATE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END;
CREATE TRIGGER contexts_deleted AFTER DELETE ON path_contexts BEGIN UPDATE changes SET count = count + 1 WHERE what = 'contexts'; END;
CREATE TRIGGER documents_inserted AFTER INSERT ON documents BEGIN UPDATE collections SET documents = documents + 1, bytes = bytes + new.size WHERE id = new.collection_id; END;
CREATE TRIGGER documents_resized AFTER UPDATE OF size ON documents BEGIN UPDATE collections SET bytes = bytes + new.size - old.size WHERE id = new.collection_id; END;
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN UPDATE collections SET documents = documents - 1, bytes = bytes - old.size WHERE id = old.collection_id; END;
CREATE INDEX research_files_bytes ON research_files(sha256);
CREATE INDEX research_kept_of ON research_kept(sha256);
CREATE INDEX conversations_updated ON conversations(owner, updated_at, id);
CREATE INDEX research_sessions_owner ON research_sessions(owner, number);
CREATE UNIQUE INDEX research_bytes_key ON research_bytes(key) WHERE key IS NOT NULL;
CREATE TRIGGER bytes_deleted AFTER DELETE ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END;
CREATE TRIGGER bytes_moved AFTER UPDATE OF key ON research_bytes WHEN old.key IS NOT NULL BEGIN INSERT OR IGNORE INTO research_gone (key) VALUES (old.key); END;
CREATE INDEX sign_ins_name ON sign_ins(name, number);
CREATE INDEX sign_ins_expires ON sign_ins(expires_at);
CREATE INDEX answer_words_of ON answer_words(owner, conversation, number);
