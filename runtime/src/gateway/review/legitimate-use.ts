/** Scripts whose letters join, or form conjuncts, and that need joiners to control it (Unicode Standard, 23.2). */
const joining =
  "Adlam Arabic Balinese Bengali Devanagari Gujarati Gurmukhi Hanifi_Rohingya Javanese Kannada Khmer Malayalam Mandaic " +
  "Manichaean Mongolian Myanmar Nko Oriya Phags_Pa Sinhala Sogdian Syriac Tamil Telugu Tibetan";
/** Scripts without spaces between words, where U+200B marks the places of line breaks. */
const unspaced = "Khmer Lao Myanmar Tai_Tham Thai Tibetan";
const fromRightToLeft =
  "Adlam Arabic Hanifi_Rohingya Hebrew Mandaic Manichaean Nko Samaritan Sogdian Syriac Thaana Yezidi";
/** The flags of England, Scotland and Wales, the only tag sequences that Unicode recommends (UTS #51, RGI_Emoji_Tag_Sequence). */
const flags = ["gbeng", "gbsct", "gbwls"] as const;

/** A direction mark. Several of them could hide bits. */
const mark = /[\u061c\u200e\u200f](?![\u061c\u200e\u200f])/uy;
/** How far a direction mark may stand from a letter that is written from right to left. */
const reach = 100;

interface Patterns {
  readonly inTexts: RegExp;
  readonly inNames: RegExp;
  readonly rightToLeft: RegExp;
}

/** Made for the first text with a hidden character. */
let patterns: Patterns | undefined;

/** The length of the hidden characters at an index that are in their legitimate use; 0 if they are not. */
export function legitimateLength(text: string, index: number, isName: boolean): number {
  const { inNames, inTexts, rightToLeft } = (patterns ??= makePatterns());
  const use = matchAt(isName ? inNames : inTexts, text, index);
  if (use > 0) return use;
  const marked = matchAt(mark, text, index);
  return marked > 0 && rightToLeft.test(text.slice(Math.max(0, index - reach), index + reach)) ? marked : 0;
}

/** The length of the match of a sticky pattern at an index; 0 if there is none. */
export function matchAt(sticky: RegExp, text: string, index: number): number {
  sticky.lastIndex = index;
  return sticky.test(text) ? sticky.lastIndex - index : 0;
}

function makePatterns(): Patterns {
  const selector = String.raw`[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
  const [joins, runsOn] = [inScripts(joining), inScripts(unspaced)];
  const sequences = flags.map((region) => `${tags(region)}\\u{e007f}`).join("|");
  const inNames = [
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=${joins})[\u200c\u200d](?![\u200c\u200d])`,
    String.raw`(?<=${runsOn})\u200b(?=${runsOn})`,
    String.raw`(?<=\u{1f3f4})(?:${sequences})`,
    String.raw`(?<=[\p{Extended_Pictographic}\p{So}])[\ufe0e\ufe0f](?!${selector})`,
    // Keycaps.
    String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}](?!${selector})`,
    String.raw`(?<=\p{Script=Mongolian})[\u180b-\u180f](?!${selector})`,
    String.raw`(?<=[\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Sm}])\ufe00(?!${selector})`,
    String.raw`(?<=[\u2801-\u28ff])\u2800|\u2800(?=[\u2801-\u28ff])`,
  ].join("|");
  // Hyphenation points.
  const inTexts = String.raw`${inNames}|(?<=\p{L})\u00ad(?=\p{L})`;
  return {
    inTexts: new RegExp(inTexts, "uy"),
    inNames: new RegExp(inNames, "uy"),
    rightToLeft: new RegExp(inScripts(fromRightToLeft), "u"),
  };
}

function inScripts(names: string): string {
  const scripts = names.split(" ").map((name) => `\\p{Script_Extensions=${name}}`);
  return `[${scripts.join("")}]`;
}

function tags(letters: string): string {
  return Array.from(letters, (letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join("");
}
