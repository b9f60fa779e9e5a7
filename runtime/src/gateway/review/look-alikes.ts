/** Letters that many fonts draw like Latin ones: pairs of strings, letter by letter (UTS #39, confusables). */
const letters: readonly (readonly [others: string, latin: string])[] = [
  // Cyrillic
  ["аеорсухіјѕһԁԛԝӏкѵү", "aeopcyxijshdqwlkvy"],
  ["АВЕЅІЈКМНОРСТУХԚԜӀҮѴ", "ABESIJKMHOPCTYXQWIYV"],
  // Greek
  ["αικνορτυχγωϲϳ", "aikvoptuxywcj"],
  ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"],
  // Armenian
  ["օոսցհզՕՍԼ", "onughqOUL"],
  // Cherokee
  ["ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHJKLMPRSTVWZ"],
  // Latin letters of other languages
  ["ɑɡɩ", "agi"],
];

/** The Latin letter that a letter looks like. */
function latinTwin(letter: string): string | undefined {
  for (const [others, latin] of letters) {
    const at = others.indexOf(letter);
    if (at >= 0) return latin[at];
  }
  return undefined;
}

/** A text in which letters are replaced by the Latin letters that they look like, and stylized letters by plain ones. */
export function toLatinTwins(text: string): string {
  return text.replace(/[^\p{ASCII}]/gu, (letter) => latinTwin(letter) ?? plain(letter));
}

/** A text without accents and hidden characters, and with Latin letters for those that look like them: equal for texts that look alike. */
export function skeletonOf(text: string): string {
  return toLatinTwins(text.normalize("NFKD").replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, ""));
}

export function isLookAlike(letter: string): boolean {
  return latinTwin(letter) !== undefined;
}

function plain(letter: string): string {
  return /^\p{L}$/u.test(letter) ? letter.normalize("NFKC") : letter;
}
