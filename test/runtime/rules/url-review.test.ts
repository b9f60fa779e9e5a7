import { domainToUnicode } from "node:url";
import { describe, expect, test } from "vitest";
import { decodeLabel } from "../../../runtime/src/rules/punycode.js";
import { reviewUrl } from "../../../runtime/src/rules/url-review.js";

const kinds = (url: string): string[] => reviewUrl(url).warnings.map(({ kind }) => kind);

test("shows the host apart from the rest", () => {
  expect(reviewUrl("HTTPS://Shop.Example:8443/pay?to=bank.example#x")).toEqual({
    href: "https://shop.example:8443/pay?to=bank.example#x",
    host: "shop.example:8443",
    readableHost: "shop.example:8443",
    warnings: [],
    problem: undefined,
  });
});

describe("URLs that must not be opened", () => {
  test.each([
    ["https://bank.example@evil.example/", "user name or password"],
    ["https://:secret@evil.example/", "user name or password"],
    ["https:\\\\bank.example\\@evil.example/", undefined],
    ["https://user:pw@evil.example/", "user name or password"],
    ["javascript:alert(1)", "begins with javascript:"],
    ["file:///etc/passwd", "begins with file:"],
    ["nowhere", "not a URL"],
    ["https://", "not a URL"],
  ])("%s", (url, problem) => {
    const { problem: found } = reviewUrl(url);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

test.each<[string, string[]]>([
  ["https://münchen.example/", ["punycode"]],
  ["https://xn--mnchen-3ya.example/", ["punycode"]],
  ["https://例え.example/", ["punycode"]],
  ["https://аррӏе.com/", ["punycode", "look-alike"]],
  ["https://pаypal.com/", ["punycode", "look-alike", "mixed-scripts"]],
  ["https://gοοgle.com/", ["punycode", "look-alike", "mixed-scripts"]],
  ["https://яндекс.example/", ["punycode"]],
  ["https://яpndex.example/", ["punycode", "mixed-scripts"]],
  ["https://192.0.2.1/", ["ip-address"]],
  ["https://0xC0000201/", ["ip-address"]],
  ["https://[2001:db8::1]/", ["ip-address"]],
  ["http://shop.example/", ["unencrypted"]],
  ["http://localhost:3000/", []],
  ["http://127.0.0.1/", []],
  ["http://[::1]:1/", []],
  ["https://paypal.com.evil.example/", []],
])("%s: %j", (url, expected) => expect(kinds(url)).toEqual(expected));

test("names the host that another one looks like", () => {
  const { host, readableHost, warnings } = reviewUrl("https://аррӏе.com:444/");
  expect([host, readableHost]).toEqual(["xn--80ak6aa92e.com:444", "аррӏе.com:444"]);
  expect(warnings.map(({ message }) => message)).toEqual([
    "The host xn--80ak6aa92e.com stands for аррӏе.com.",
    "аррӏе.com looks like apple.com, but is another host.",
  ]);
});

describe("Punycode", () => {
  test.each(["münchen", "bücher", "例え", "яндекс", "ελλάδα", "faß", "ไทย", "☃", "🍕x", "a-ü-b", "عربي"])(
    "decodes what a URL encodes: %s",
    (label) => {
      const encoded = new URL(`https://${label}.example`).hostname.split(".")[0] ?? "";
      expect(`${decodeLabel(encoded)}.example`).toBe(domainToUnicode(`${encoded}.example`));
    },
  );

  test.each(["plain", "xn--", "xn--a", "xn--99999999", "xn--zzzzzzzzzzzzzzz", "xn--ü", "xn--a-", "xn---"])(
    "never throws: %s",
    (label) => expect(typeof decodeLabel(label)).toBe("string"),
  );
});
