/** A pattern that prose must not contain. */
export interface Rule {
  readonly id: string;
  /** The pattern, which is searched in each sentence. A blank in it matches any whitespace, line ends included. */
  readonly pattern: RegExp;
  /** A better wording. */
  readonly advice: string;
}

/** Questions may begin with "who" and "what". */
const statement = "(?=[^?]*$)";

/** A second verb makes a statement of "What …": "What was sent" names a thing, "What was sent is kept" is a statement. */
const present =
  "(?:becomes|belongs|comes|costs|counts|does|fails|gets|gives|goes|has|is|keeps|makes|needs|remains|stands|stays|takes|waits|was)";
const verb = `(?:are|can|cannot|could|did|had|have|may|might|must|were|will|would|${present})`;
const subordinators =
  "after|as|because|before|how|if|since|than|that|to|unless|until|what|when|where|which|while|who|whom|whose|why";
const mainClause = `(?:(?!(?:${subordinators})\\b)[^\\s,;:—]+ )`;
const whatStatement = [
  `${mainClause}*?${verb} ${mainClause}*?${verb}\\b`,
  `${mainClause}{0,3}?[a-z]+(?:s (?!is (?:a|an|the)\\b)${present}|ed ${verb})\\b`,
].join("|");

const rules: readonly Rule[] = [
  {
    id: "whoever",
    pattern: /\bwho(?:so)?ever\b/i,
    advice: 'name the actor ("the host", "a client") or write "you"',
  },
  {
    id: "whatever",
    pattern: /\bwhat(?:so)?ever\b/i,
    advice: "name the thing",
  },
  {
    id: "who-subject",
    pattern: new RegExp(String.raw`^who (?!(?:a|an|it|its|the|they|this|to|we|you)\b)[a-z]+\b${statement}`, "i"),
    advice: 'name the actor or write "you"',
  },
  {
    id: "who-object",
    pattern: /\b(?:by|for|from|of|to|with) who\b/i,
    advice: "name the actor",
  },
  {
    id: "what-subject",
    pattern: new RegExp(`^what (?:${whatStatement})${statement}`, "i"),
    advice: 'begin with the thing: "Requests in progress are aborted"',
  },
  {
    id: "tell",
    pattern: /\b(?:tells?|told|telling)\b/i,
    advice: "report, explain, notify or print; distinguish for tell apart",
  },
  {
    id: "is-no",
    pattern:
      /(?<!\bthere (?:[a-z]+ )?)\b(?:is|are|was|were|be|been) no (?!longer\b|more\b|less\b|later\b|doubt\b)[a-z][\w-]*/i,
    advice: 'negate the verb: "is not a URL"',
  },
  {
    id: "otherwise",
    pattern: /\botherwise than\b|\bsa(?:y|ys|id|ying) otherwise\b/i,
    advice: '"differs from", "unless … is set"',
  },
  {
    id: "nobody",
    pattern: /\b(?:no|some|any)body(?:['’]s)?\b/i,
    advice: "name the actor: the user, the host, the peer",
  },
  {
    id: "hand",
    pattern:
      /\bhanded\b|(?<!\b(?:by|one|other|of|a) )\bhand(?:s|ing)?(?: (?:it|them|this|that|one|those))? (?:in|over|on|out|back)\b/i,
    advice: "pass, return, send",
  },
  {
    id: "for-good",
    pattern: /\bfor good\b(?! (?:reason|measure))/i,
    advice: "permanently",
  },
  {
    id: "he",
    pattern: /\b(?:he|him|his|himself)\b/i,
    advice: "they, the user, the author",
  },
  {
    id: "defect",
    pattern: /\bdefects? (?:of|in)\b/i,
    advice: "bug, or internal error",
  },
  { id: "faulty", pattern: /\bfaulty\b/i, advice: "invalid, or broken" },
  {
    id: "there-already",
    pattern: /\b(?:is|are|was|were|be) there already\b/i,
    advice: "exists",
  },
  { id: "no-good", pattern: /\bno good\b/i, advice: "invalid, or does not work" },
  {
    id: "hear",
    pattern: /\b(?:hears?|heard|hearing) (?:about|from|nothing|of)\b/i,
    advice: "is notified, receives, is called with",
  },
  { id: "heed", pattern: /\bheed(?:s|ed|ing)?\b/i, advice: "respect, follow, apply" },
  { id: "mend", pattern: /\bmend(?:s|ed|ing)?\b/i, advice: "fix, repair" },
  { id: "drift", pattern: /\bdrift(?:s|ed|ing)?\b/i, advice: "be out of date, differ" },
  { id: "betray", pattern: /\bbetray(?:s|ed|ing|al)?\b/i, advice: "reveal, show" },
  {
    id: "forgive",
    pattern: /\bforg(?:ive|ives|iven|iving|ave|iveness)\b/i,
    advice: "tolerate, accept",
  },
  { id: "besides-that", pattern: /\bbesides? that\b/i, advice: "also, or drop it" },
  { id: "stead", pattern: /\bin (?:its|his|their|the|whose) stead\b/i, advice: '"instead", or "in place of …"' },
  {
    id: "archaic",
    pattern: /\b(?:hence|thence|whence|thereof|whereof|therein|wherein|thereupon|lest)\b/i,
    advice: '"so", "of it", "in which", or a new sentence',
  },
  {
    id: "a-text",
    pattern:
      /\b(?:as|be|is|not) an? (?:[a-z-]+ )?text(?=[.,;:)]|$| (?:and|not|or|that|which|with)\b)|\b(?:both|must be) texts\b/i,
    advice: "string, or strings",
  },
];

/** The rules, with blanks that match any whitespace. */
export const allRules: readonly Rule[] = rules.map((rule) => ({
  ...rule,
  pattern: new RegExp(rule.pattern.source.replaceAll(" ", String.raw`\s+`), `${rule.pattern.flags}g`),
}));
