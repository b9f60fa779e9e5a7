import { expect, test } from "vitest";
import { findConfusable } from "../../../../runtime/src/gateway/review/find-confusable.js";
import { isLookAlike, skeletonOf, toLatinTwins } from "../../../../runtime/src/gateway/review/look-alikes.js";

test.each([
  ["a Cyrillic letter among Latin ones", "reаd_file", "mixed-script", "read_file", 0x430],
  ["a Greek letter among Latin ones", "send_mοney", "mixed-script", "send_money", 0x3bf],
  ["a Cherokee letter among Latin ones", "Ꭺdmin", "mixed-script", "Admin", 0x13aa],
  ["a Cyrillic word that looks Latin", "сору", "look-alike", "copy", 0x441],
  ["letters of full width", "ｒｅａｄ", "look-alike", "read", 0xff52],
  ["letters of mathematics", "𝐫𝐞𝐚𝐝", "look-alike", "read", 0x1d42b],
  ["a Latin letter of phonetics", "ɡet_mail", "look-alike", "get_mail", 0x261],
])("finds %s", (_, name, kind, decoded, codePoint) => {
  expect(findConfusable(name)).toMatchObject({ kind, decoded, codePoint });
});

test.each(["read_file", "größe", "прочитать", "adı", "Δt", "μs", "α", "読む_file", "имя file", "naïve", "m²", "𝐫"])(
  "does not find %s",
  (name) => {
    expect(findConfusable(name)).toBeUndefined();
  },
);

test("every look-alike is outside of ASCII and has a Latin letter", () => {
  const others = "аеорсухіјѕһԁԛԝӏкѵүαικνορτυχγωϲϳօոսցհզᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃɑɡɩ";
  for (const letter of others) {
    expect(letter).toMatch(/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}ɑɡɩ]/u);
    expect(isLookAlike(letter)).toBe(true);
    expect(toLatinTwins(letter)).toMatch(/^[A-Za-z]$/);
  }
});

test("texts that look alike have one skeleton", () => {
  expect(skeletonOf("p\u0430ypal\u200b")).toBe("paypal");
  expect(skeletonOf("e\u0301")).toBe(skeletonOf("é"));
  expect(skeletonOf("ab")).not.toBe(skeletonOf("ba"));
});

test("reads only the start of long names", () => {
  expect(findConfusable("é".repeat(10_000_000))).toBeUndefined();
});
