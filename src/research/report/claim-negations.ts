const NEGATION =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|nor|neither|without|cannot|nothing|nobody|nowhere|\p{L}+n['’]t|nicht|kein\p{L}*|nie|niemals|ohne|weder|pas|jamais|sans|aucune?|ningun\p{L}*|nunca|sin|не|нет|ни|никогда|без)(?![\p{L}\p{N}])|[不没沒無无未非]|ไม่|ไม่มี/iu

/** Whether a text denies anything. */
export function hasNegation(text: string): boolean {
  return NEGATION.test(text)
}
