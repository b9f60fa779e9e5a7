/**
 * Splits a text into the words that a search finds. Chinese has no blanks between words: `Intl.Segmenter` finds them, or each
 * character is a word in browsers without it. The site passes this function to the browser as text, so it uses only its parameter.
 */
export function searchWords(text: string): string[] {
  const segmenter =
    typeof Intl.Segmenter === "function" ? new Intl.Segmenter("zh", { granularity: "word" }) : undefined;
  return text
    .split(/[\s\p{P}\p{Z}\p{S}]+|(?<=\p{Script=Han})(?!\p{Script=Han})|(?<!\p{Script=Han})(?=\p{Script=Han})/u)
    .flatMap((part) => {
      if (!/^\p{Script=Han}/u.test(part)) return part === "" ? [] : [part];
      return segmenter === undefined ? part.split("") : Array.from(segmenter.segment(part), ({ segment }) => segment);
    });
}

/** Whether a search also finds words that differ a little: in Chinese, another character is another word. */
export function searchFuzzily(word: string): number | boolean {
  return /\p{Script=Han}/u.test(word) ? false : 0.2;
}
