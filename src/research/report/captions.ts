/** What a report calls the places of its sources, the states of its questions and its files, in the languages of its headings. */

import type { EvidenceKind } from '../run/evidence.ts'
import type { DayWords } from '../web/page-dates.ts'
import type { ReportLanguage } from './report-words.ts'

type Status = 'answered' | 'partial' | 'unresolved'

/** `{}`: what is put in. */
export interface Captions {
  readonly statuses: Readonly<Record<Status, string>>
  readonly evidence: string
  readonly kinds: Readonly<Record<EvidenceKind, string>>
  readonly page: string
  readonly line: string
  readonly lines: string
  /** Where a source has no place that is known. */
  readonly somewhere: string
  readonly under: string
  /** Of a page whose text another source has, too: which. */
  readonly copy: string
  readonly days: DayWords
  readonly files: string
  readonly noFiles: string
  /** Of a file: how many items, of how many spans. */
  readonly read: (items: number, spans: number) => string
  readonly unread: string
}

const CAPTIONS: Readonly<Record<ReportLanguage, Captions>> = {
  en: {
    statuses: { answered: 'answered', partial: 'partial', unresolved: 'unresolved' },
    evidence: 'evidence: {}',
    kinds: { context: 'context', collections: 'collections', web: 'web', earlier: 'earlier' },
    page: 'page {}',
    line: 'line {}',
    lines: 'lines {}',
    somewhere: 'somewhere',
    under: 'under “{}”',
    copy: 'says the same as [{}]',
    days: { published: 'published {}', modified: 'modified {}', disagree: 'its dates disagree: {}', places: {} },
    files: 'Files:',
    noFiles: 'No files were given.',
    read: (items, spans) => `${items} item${items === 1 ? '' : 's'} from ${spans} span${spans === 1 ? '' : 's'}`,
    unread: 'not read: {}',
  },
  de: {
    statuses: { answered: 'beantwortet', partial: 'teilweise beantwortet', unresolved: 'offen' },
    evidence: 'Belege: {}',
    kinds: { context: 'Dateien', collections: 'Sammlungen', web: 'Web', earlier: 'frühere Recherche' },
    page: 'Seite {}',
    line: 'Zeile {}',
    lines: 'Zeilen {}',
    somewhere: 'irgendwo',
    under: 'unter „{}“',
    copy: 'sagt dasselbe wie [{}]',
    days: {
      published: 'veröffentlicht {}',
      modified: 'geändert {}',
      disagree: 'die Daten der Seite widersprechen sich: {}',
      places: { 'the text': 'im Text', 'the search service': 'Suchdienst' },
    },
    files: 'Dateien:',
    noFiles: 'Es wurden keine Dateien angegeben.',
    read: (items, spans) => `${items} ${items === 1 ? 'Aussage' : 'Aussagen'} aus ${countGerman(spans)}`,
    unread: 'nicht gelesen: {}',
  },
  es: {
    statuses: { answered: 'respondida', partial: 'respondida en parte', unresolved: 'sin respuesta' },
    evidence: 'pruebas: {}',
    kinds: { context: 'archivos', collections: 'colecciones', web: 'web', earlier: 'investigación anterior' },
    page: 'página {}',
    line: 'línea {}',
    lines: 'líneas {}',
    somewhere: 'en algún lugar',
    under: 'en «{}»',
    copy: 'dice lo mismo que [{}]',
    days: {
      published: 'publicado {}',
      modified: 'modificado {}',
      disagree: 'sus fechas no coinciden: {}',
      places: { 'the text': 'el texto', 'the search service': 'el buscador' },
    },
    files: 'Archivos:',
    noFiles: 'No se indicaron archivos.',
    read: (items, spans) => `datos: ${items}; fragmentos: ${spans}`,
    unread: 'no leído: {}',
  },
  fr: {
    statuses: { answered: 'répondue', partial: 'répondue en partie', unresolved: 'sans réponse' },
    evidence: 'preuves : {}',
    kinds: { context: 'fichiers', collections: 'collections', web: 'web', earlier: 'recherche antérieure' },
    page: 'page {}',
    line: 'ligne {}',
    lines: 'lignes {}',
    somewhere: 'quelque part',
    under: 'sous « {} »',
    copy: 'dit la même chose que [{}]',
    days: {
      published: 'publié {}',
      modified: 'modifié {}',
      disagree: 'ses dates ne concordent pas : {}',
      places: { 'the text': 'le texte', 'the search service': 'le moteur de recherche' },
    },
    files: 'Fichiers :',
    noFiles: 'Aucun fichier n’a été donné.',
    read: (items, spans) => `éléments : ${items} ; passages : ${spans}`,
    unread: 'non lu : {}',
  },
  ru: {
    statuses: { answered: 'есть ответ', partial: 'ответ неполный', unresolved: 'ответа нет' },
    evidence: 'источники: {}',
    kinds: { context: 'файлы', collections: 'коллекции', web: 'веб', earlier: 'прежнее исследование' },
    page: 'страница {}',
    line: 'строка {}',
    lines: 'строки {}',
    somewhere: 'место неизвестно',
    under: 'раздел «{}»',
    copy: 'говорит то же, что и [{}]',
    days: {
      published: 'опубликовано {}',
      modified: 'изменено {}',
      disagree: 'даты страницы расходятся: {}',
      places: { 'the text': 'текст страницы', 'the search service': 'поисковая служба' },
    },
    files: 'Файлы:',
    noFiles: 'Файлы не были заданы.',
    read: (items, spans) => `утверждений: ${items}; фрагментов: ${spans}`,
    unread: 'не прочитан: {}',
  },
  zh: {
    statuses: { answered: '已回答', partial: '部分回答', unresolved: '未回答' },
    evidence: '证据：{}',
    kinds: { context: '文件', collections: '集合', web: '网页', earlier: '先前的研究' },
    page: '第 {} 页',
    line: '第 {} 行',
    lines: '第 {} 行',
    somewhere: '位置不明',
    under: '“{}”之下',
    copy: '与 [{}] 内容相同',
    days: {
      published: '发布于 {}',
      modified: '修改于 {}',
      disagree: '页面日期不一致：{}',
      places: { 'the text': '正文', 'the search service': '搜索服务' },
    },
    files: '文件：',
    noFiles: '没有给出文件。',
    read: (items, spans) => `${spans} 个片段中的 ${items} 条内容`,
    unread: '未读取：{}',
  },
  ja: {
    statuses: { answered: '回答あり', partial: '一部のみ回答', unresolved: '回答なし' },
    evidence: '根拠：{}',
    kinds: { context: 'ファイル', collections: 'コレクション', web: 'ウェブ', earlier: '以前の調査' },
    page: '{}ページ',
    line: '{}行目',
    lines: '{}行目',
    somewhere: '位置不明',
    under: '「{}」の下',
    copy: '[{}] と同じ内容',
    days: {
      published: '公開 {}',
      modified: '更新 {}',
      disagree: '日付が一致しません：{}',
      places: { 'the text': '本文', 'the search service': '検索サービス' },
    },
    files: 'ファイル：',
    noFiles: 'ファイルは指定されていません。',
    read: (items, spans) => `${spans}個の部分から${items}件`,
    unread: '読み取れません：{}',
  },
  th: {
    statuses: { answered: 'มีคำตอบ', partial: 'มีคำตอบบางส่วน', unresolved: 'ไม่มีคำตอบ' },
    evidence: 'หลักฐาน: {}',
    kinds: { context: 'ไฟล์', collections: 'คอลเลกชัน', web: 'เว็บ', earlier: 'การค้นคว้าก่อนหน้า' },
    page: 'หน้า {}',
    line: 'บรรทัด {}',
    lines: 'บรรทัด {}',
    somewhere: 'ไม่ทราบตำแหน่ง',
    under: 'ใต้ “{}”',
    copy: 'มีเนื้อหาเดียวกับ [{}]',
    days: {
      published: 'เผยแพร่ {}',
      modified: 'แก้ไข {}',
      disagree: 'วันที่ของหน้าไม่ตรงกัน: {}',
      places: { 'the text': 'เนื้อหา', 'the search service': 'บริการค้นหา' },
    },
    files: 'ไฟล์:',
    noFiles: 'ไม่มีไฟล์ที่ให้มา',
    read: (items, spans) => `${items} รายการ จาก ${spans} ส่วน`,
    unread: 'ไม่ได้อ่าน: {}',
  },
}

function countGerman(spans: number): string {
  return spans === 1 ? '1 Abschnitt' : `${spans} Abschnitten`
}

export function captionsIn(language: ReportLanguage): Captions {
  return CAPTIONS[language]
}

/** A status in words; one that no language has a word for as it is. */
export function statusTold(status: string, { statuses }: Captions): string {
  return isStatus(status) ? statuses[status] : status
}

/** A kind of evidence in words. */
export function kindTold(kind: string, { kinds }: Captions): string {
  return Object.entries(kinds).find(([name]) => name === kind)?.[1] ?? kind
}

function isStatus(status: string): status is Status {
  return status === 'answered' || status === 'partial' || status === 'unresolved'
}
