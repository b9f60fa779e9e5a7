import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SdkError } from "../../runtime/src/jsonrpc/errors.js";
import { UriTemplate, type Variables } from "../../runtime/src/uri-template.js";
import { compile, match } from "../../runtime/src/uri-template/match.js";
import { parse } from "../../runtime/src/uri-template/parse.js";

const values = {
  word: "tea",
  text: "Bread & Wine?",
  path: "/a b/c",
  half: "100%",
  coded: "a%2Fb c%zz",
  city: "Zürich",
  clef: "𝄞 clef",
  empty: "",
  one: ["solo"],
  list: ["up", "down", "l/r"],
  gaps: ["", "x"],
  none: [],
  map: { k: "v", "k/2": "" },
  bare: {},
  "a.b": "dot",
  "%41": "coded name",
};

const expansions: readonly (readonly [template: string, uri: string])[] = [
  ["", ""],
  ["no expression", "no%20expression"],
  ["100%/%zz/%2f/é/\"<>'", "100%25/%25zz/%2f/%C3%A9/%22%3C%3E'"],
  ["{word}", "tea"],
  ["{text}", "Bread%20%26%20Wine%3F"],
  ["{path,half}", "%2Fa%20b%2Fc,100%25"],
  ["{coded}", "a%252Fb%20c%25zz"],
  ["{city}", "Z%C3%BCrich"],
  ["[{empty}]", "[]"],
  ["[{missing}]", "[]"],
  ["{word,missing,empty}", "tea,"],
  ["{missing,word}", "tea"],
  ["{list}", "up,down,l%2Fr"],
  ["{list*}", "up,down,l%2Fr"],
  ["{map}", "k,v,k%2F2,"],
  ["{map*}", "k=v,k%2F2="],
  ["{none}{bare*}", ""],
  ["{city:2}", "Z%C3%BC"],
  ["{clef:1}", "%F0%9D%84%9E"],
  ["{word:9999}", "tea"],
  ["{a.b}{%41}", "dotcoded%20name"],
  ["{+text}", "Bread%20&%20Wine?"],
  ["{+path}", "/a%20b/c"],
  ["{+coded}", "a%2Fb%20c%25zz"],
  ["{+half}", "100%25"],
  ["{+path:3}", "/a%20"],
  ["{+list}", "up,down,l/r"],
  ["{+map*}", "k=v,k/2="],
  ["{+word,path}", "tea,/a%20b/c"],
  ["{#word}", "#tea"],
  ["{#empty}", "#"],
  ["{#missing}", ""],
  ["{#path,word}", "#/a%20b/c,tea"],
  ["{#list*}", "#up,down,l/r"],
  ["x{.word}", "x.tea"],
  ["x{.word,city:1}", "x.tea.Z"],
  ["x{.list}", "x.up,down,l%2Fr"],
  ["x{.list*}", "x.up.down.l%2Fr"],
  ["x{.map*}", "x.k=v.k%2F2="],
  ["x{.empty,none}", "x."],
  ["{/word,path}", "/tea/%2Fa%20b%2Fc"],
  ["{/word:1,word}", "/t/tea"],
  ["{/list}", "/up,down,l%2Fr"],
  ["{/list*}", "/up/down/l%2Fr"],
  ["{/gaps*}", "//x"],
  ["{/map*}", "/k=v/k%2F2="],
  ["{;word,empty,missing}", ";word=tea;empty"],
  ["{;list}", ";list=up,down,l%2Fr"],
  ["{;gaps*}", ";gaps;gaps=x"],
  ["{;map}", ";map=k,v,k%2F2,"],
  ["{;map*}", ";k=v;k%2F2"],
  ["{;word:2}", ";word=te"],
  ["{?word,empty,missing}", "?word=tea&empty="],
  ["{?text}", "?text=Bread%20%26%20Wine%3F"],
  ["{?list}", "?list=up,down,l%2Fr"],
  ["{?list*}", "?list=up&list=down&list=l%2Fr"],
  ["{?map*}", "?k=v&k%2F2="],
  ["{?none,word:1}", "?word=t"],
  ["{?%41}", "?%41=coded%20name"],
  ["?fixed{&word,empty}", "?fixed&word=tea&empty="],
  ["{&one*}", "&one=solo"],
  ["{&missing,none}", ""],
];

test.each(expansions)("%j expands to %j", (template, uri) => {
  expect(new UriTemplate(template).expand(values)).toBe(uri);
});

test("expansion reads only own properties, and turns lone surrogates into U+FFFD", () => {
  expect(new UriTemplate("{toString}{__proto__}").expand({})).toBe("");
  expect(new UriTemplate("\ud800{a}{+a}").expand({ a: "\udfff" })).toBe("%EF%BF%BD".repeat(3));
});

test("a list has no prefix", () => {
  const template = new UriTemplate("{a:2}");
  expect(() => template.expand({ a: ["x"] })).toThrow(expect.objectContaining({ code: "INVALID_CONFIGURATION" }));
  expect(() => template.expand({ a: {} })).toThrow('"a"');
});

test.each([
  ["{", 0, '"}"'],
  ["ab{c", 2, '"}"'],
  ["a{b}c}", 5, '"{"'],
  ["{a{b}}", 1, "not a variable"],
  ["{}", 1, "not a variable"],
  ["{+}", 2, "not a variable"],
  ["{a,}", 3, "not a variable"],
  ["{a, b}", 3, '" b"'],
  ["{a-b}", 1, '"a-b"'],
  ["{?a,.b}", 4, '".b"'],
  ["{a..b}", 1, '"a..b"'],
  ["{a.}", 1, '"a."'],
  ["{%4}", 1, '"%4"'],
  ["{ä}", 1, '"ä"'],
  ["{a:0}", 1, ":1 to :9999"],
  ["{a:12345}", 1, ":1 to :9999"],
  ["{a:1*}", 1, '"a:1*"'],
  ["x{=a}", 2, '"="'],
  ["x{|a}", 2, '"|"'],
  ["x".repeat(65_537), 65_536, "65536"],
])("%.12j is rejected at position %i", (template, position, text) => {
  let error: unknown;
  try {
    new UriTemplate(template);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(SdkError);
  expect(error).toMatchObject({ code: "INVALID_CONFIGURATION", data: { template, position } });
  expect((error as SdkError).message).toContain(`position ${position}:`);
  expect((error as SdkError).message).toContain(text);
});

const matches: readonly (readonly [template: string, uri: string, expected: Variables | null])[] = [
  ["", "", {}],
  ["config://app", "config://app", {}],
  ["config://app", "config://app2", null],
  ["config://app", "config://ap", null],
  ["a b/%7Ex/%2f", "a%20b/~x/%2F", {}],
  ["a/b", "a%2Fb", null],
  ["x%FF", "x%FF", null],
  [
    "travel://activities/{city}/{category}",
    "travel://activities/New%20York/food",
    { city: "New York", category: "food" },
  ],
  ["travel://activities/{city}/{category}", "travel://activities/oslo/food/thai", null],
  ["travel://activities/{city}/{category}", "travel://activities//food", null],
  ["travel://activities/{city}/{category}", "travel://activities/a%2Fb/c", { city: "a/b", category: "c" }],
  ["file:///{path}", "file:///a.txt", { path: "a.txt" }],
  ["file:///{path}", "file:///a/b.txt", null],
  ["file:///{path}", "file:///", null],
  ["file:///{path}", "file:///a%", null],
  ["file:///{path}", "file:///a%2", null],
  ["file:///{path}", "file:///%C3", null],
  ["file:///{path}", "file:///%C3%A9%A9", null],
  ["file:///{path}", "file:///é", { path: "é" }],
  ["{a}", "x,y", null],
  ["{a}-{b}", "x-y-z", { a: "x-y", b: "z" }],
  ["{a}{b}", "xyz", { a: "xy", b: "z" }],
  ["{a}{b}", "%C3%A9%C3%A8", { a: "é", b: "è" }],
  ["{a,b}", "1,2", { a: "1", b: "2" }],
  ["{a,b}", "1", { a: "1" }],
  ["{a,b}", ",2", { a: "", b: "2" }],
  ["{a,b}", "1,2,3", null],
  ["{a*}", "1,2%2C,3", { a: ["1", "2,", "3"] }],
  ["{a*,b}", "1,2,3", { a: ["1", "2"], b: "3" }],
  ["{a:3}", "abc", { a: "abc" }],
  ["{a:3}", "abcd", null],
  ["{a:2}", "%F0%9D%84%9E%C3%A9", { a: "𝄞é" }],
  ["{a:1}/{a}", "x/xyz", { a: "xyz" }],
  ["{a:1}/{a:2}", "x/xy", { a: "xy" }],
  ["{a:1}/{a}", "x/yz", null],
  ["{a}/{a}", "x/%78", { a: "x" }],
  ["{a}/{a}", "x/y", null],
  ["{a}{/a*}", "x/x", null],
  ["file:///{+path}", "file:///a/b%20c?d#e", { path: "a/b c?d#e" }],
  ["{+a}", "", null],
  ["{+a}", "%2f%2525%25%20", { a: "%2F%2525% " }],
  ["{+a}/{b}", "x/y/z", { a: "x/y", b: "z" }],
  ["{+a}.{b}", "v1.2/my.file.txt", { a: "v1.2/my.file", b: "txt" }],
  ["{+a,b}", "1,2,3", { a: "1", b: "2,3" }],
  ["{+a*}", "/x,y%2C", { a: ["/x", "y%2C"] }],
  ["{+a}{+b}{/id*}", "x/y/z", { a: "x/y/", b: "z" }],
  ["{+path}{?q}", "a/b?q=1", { path: "a/b", q: "1" }],
  ["{+path}{?q}", "a/b?r=1", null],
  ["{+path}{#f}", "a/b#1", { path: "a/b", f: "1" }],
  ["x{#f}", "x", {}],
  ["x{#f}", "x#", { f: "" }],
  ["x{#f}", "x#/a,b?%20", { f: "/a,b? " }],
  ["{#a,b}", "#1,2", { a: "1", b: "2" }],
  ["{#a,b}", ",2", null],
  ["{#a,b},2", ",2", {}],
  ["{name}{.ext}", "report.pdf", { name: "report", ext: "pdf" }],
  ["{name}{.ext}", "report.tar.gz", { name: "report", ext: "tar.gz" }],
  ["{name}{.ext}", "report", { name: "report" }],
  ["x{.a,b}", "x.1.2", { a: "1", b: "2" }],
  ["x{.a*}", "x.1.2", { a: ["1", "2"] }],
  ["{/a,b}", "/1", { a: "1" }],
  ["{/a,b}", "//2", { a: "", b: "2" }],
  ["{/a,b}", "/1/2/3", null],
  ["{/a,b}/c", "/1/c", { a: "1" }],
  ["{/segments*}", "/a/b%2F/", { segments: ["a", "b/", ""] }],
  ["{/segments*}", "", {}],
  ["x{/segments*}", "xy", null],
  ["{/segments*}{.ext}", "/v1.2/a.json", { segments: ["v1.2", "a"], ext: "json" }],
  ["{/a*,b}", "/1/2", { a: ["1"], b: "2" }],
  ["x{;a,b}", "x;b=2;a=%3B", { a: ";", b: "2" }],
  ["x{;a}", "x;a", { a: "" }],
  ["x{;a}", "x;b", null],
  ["x{;a*}/y", "x;a=1;a/y", { a: ["1", ""] }],
  ["s{?q,page}", "s?page=2&q=a%20b", { q: "a b", page: "2" }],
  ["s{?q,page}", "s?page=2", { page: "2" }],
  ["s{?q,page}", "s", {}],
  ["s{?q,page}", "s?", null],
  ["s{?q,page}", "s?q=1&other=2", null],
  ["s{?q,page}", "s?q=1&", null],
  ["s{?q,page}", "s&q=1", null],
  ["s{?q}", "s?q", { q: "" }],
  ["s{?q}", "s?q=a=b/c:d,e+f", { q: "a=b/c:d,e+f" }],
  ["s{?q}", "s?q=1&q=1", { q: "1" }],
  ["s{?q}", "s?q=1&q=2", null],
  ["s{?q*}", "s?q=1&q=2", { q: ["1", "2"] }],
  ["s{?q:2}", "s?q=%C3%A9%2F", { q: "é/" }],
  ["s{?q:2}", "s?q=abc", null],
  ["s{?q}{&r*}", "s?q=1&r=2&r=3", { q: "1", r: ["2", "3"] }],
  ["s{?q}#top", "s?q=1#top", { q: "1" }],
  ["s?v=1{&q,r}", "s?v=1&r=2", { r: "2" }],
  ["s?v=1{&q}&w=2", "s?v=1&q=3&w=2", { q: "3" }],
  ["s{?%C3%9F}", "s?%c3%9f=1", { "%C3%9F": "1" }],
];

test.each(matches)("%j against %j gives %j", (template, uri, expected) => {
  const found = new UriTemplate(template).match(uri);
  expect(found && { ...found }).toEqual(expected);
});

test("names of Object.prototype are ordinary names", () => {
  const found = new UriTemplate("{__proto__}{/constructor*}{?toString}").match("a/b?toString=c");
  expect(Object.getPrototypeOf(found)).toBeNull();
  expect(Object.entries(found ?? {}).sort()).toEqual([
    ["__proto__", "a"],
    ["constructor", ["b"]],
    ["toString", "c"],
  ]);
  expect(new UriTemplate("s{?a}").match("s?toString=1")).toBeNull();
});

test("variableNames, toString and isTemplate", () => {
  const template = new UriTemplate("x{a,b:3}{?a,c*}");
  expect(template.variableNames).toEqual(["a", "b", "c"]);
  expect(String(template)).toBe("x{a,b:3}{?a,c*}");
  const texts = ["file:///{path}", "{?a,b}", "file:///a", "{}", "{ a }", "{a", "}{", "{{a}"];
  expect(texts.filter((text) => UriTemplate.isTemplate(text))).toEqual(["file:///{path}", "{?a,b}", "{{a}"]);
});

describe("properties", () => {
  const name = fc.constantFrom("a", "b", "c.d", "%41", "__proto__");
  const variable = fc.tuple(name, fc.constantFrom("", "", "*", ":2")).map((both) => both.join(""));
  const expression = fc
    .tuple(fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&"), fc.array(variable, { minLength: 1, maxLength: 3 }))
    .map(([operator, variables]) => `{${operator}${variables.join(",")}}`);
  const literal = fc.constantFrom("x", "/", ".", ",", "a", "?a=", "%20", "é", "#", "&");
  const template = fc
    .array(fc.oneof(expression, literal), { maxLength: 6 })
    .map((tokens) => new UriTemplate(tokens.join("")));
  const uri = fc
    .array(fc.constantFrom("a", "b", "é", "/", ".", ",", "?a=", "&b=", ";", "#", "=", "%2F", "%C3%A9", "%", "{"))
    .map((units) => units.join(""));

  test("match throws for no string, and its values expand to a URI that matches again", () => {
    const parameters = fc.record({
      template,
      uri: fc.oneof(
        uri,
        fc.string(),
        fc.string({ unit: "binary" }),
        fc.string({ unit: fc.integer({ min: 0xd7ff, max: 0xe000 }).map((code) => String.fromCharCode(code)) }),
      ),
    });
    const property = fc.property(parameters, ({ template, uri }) => {
      const found = template.match(uri);
      const variables = parse(String(template)).flatMap((token) => (typeof token === "string" ? [] : token.variables));
      if (found && variables.length === template.variableNames.length) {
        expect(template.match(template.expand(found)), template.expand(found)).not.toBeNull();
      }
    });
    fc.assert(property, { numRuns: 5_000 });
  });

  test("any string is a valid template, or rejected with SdkError", () => {
    const characters = fc.constantFrom(...Array.from("{}+#?&,:*%a1._-é "));
    const property = fc.property(fc.oneof(fc.string(), fc.string({ unit: characters })), (text) => {
      try {
        expect(new UriTemplate(text).toString()).toBe(text);
      } catch (error) {
        expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
      }
    });
    fc.assert(property, { numRuns: 5_000 });
  });

  const anything = fc.string({ unit: "grapheme", minLength: 1 });
  // These operators keep triplets, and the comma separates two values.
  const unreserved = anything.filter((text) => !/%[\dA-Fa-f]{2}/.test(text));
  const noComma = unreserved.filter((text) => !text.includes(","));
  const noDot = anything.filter((text) => !text.includes("."));
  test.each<[template: string, value: fc.Arbitrary<string>]>([
    ["x://{a}/{b}", anything],
    ["x://{a,b}", anything],
    ["x://{+a}", unreserved],
    ["x://{+a,b}", noComma],
    ["x://{#a}", unreserved],
    ["x://{#a,b}", noComma],
    ["x://h{.a}", anything],
    ["x://h{.a,b}", noDot],
    ["x://{/a,b}", anything],
    ["x://{/a}{/b}", anything],
    ["x://{;a,b}", anything],
    ["x://{?a,b}", anything],
    ["x://?c=d{&a,b}", anything],
    ["x://{a}{?b}", anything],
    ["x://{a:1}/{a}/{b}", anything],
  ])("%s returns the strings that it was expanded from", (text, value) => {
    const template = new UriTemplate(text);
    const names = template.variableNames;
    const property = fc.property(fc.tuple(...names.map(() => value)), (strings) => {
      const variables = Object.fromEntries(names.map((key, index) => [key, strings[index] ?? ""]));
      expect({ ...template.match(template.expand(variables)) }).toEqual(variables);
    });
    fc.assert(property);
  });

  test.each(["x{/a*}", "x{;a*}", "x{?a*}", "x?b{&a*}", "x/{a*}/y"])("%s returns lists", (text) => {
    const template = new UriTemplate(text);
    const property = fc.property(fc.array(anything, { minLength: 1 }), (a) => {
      expect({ ...template.match(template.expand({ a })) }).toEqual({ a });
    });
    fc.assert(property);
  });
});

describe("hostile input", () => {
  function steps(template: string, uri: string): number {
    const meter = { steps: 0 };
    match(compile(parse(template)), template.length, uri, meter);
    return meter.steps;
  }

  test.each([
    ["{+a}{+b}{/id*}", "/"],
    ["{+a}".repeat(50), "a"],
    ["{+a}b".repeat(50), "ab"],
    ["{+a}aaaa{+b}", "a"],
    ["{/a*}".repeat(50), "/a"],
    ["{/a*}{.b*}{;c*}{?d*}{&e*}".repeat(10), "/a.a;c?d&e"],
    ["{a,b,c}{.d,e}".repeat(25), ",."],
    ["{&a*}".repeat(50), "&a=1"],
    ["{+a}{&a*}".repeat(25), "&a"],
    ["{?a}{?b}".repeat(25), "?a"],
    ["{+a:3}{a}".repeat(25), "%C3%A9"],
    ["{#a}{#b*}".repeat(25), "#,"],
  ])("%s takes a number of steps that is linear in the URI", (template, unit) => {
    const repeated = (length: number) => `${unit.repeat(length / unit.length)}{`;
    const [half, whole] = [steps(template, repeated(30_000)), steps(template, repeated(60_000))];
    expect(half).toBeGreaterThan(0);
    expect(whole).toBeLessThan(2.1 * half);
    expect(whole).toBeLessThan(60_000 * template.length);
  });

  test("limits the length of the URI, and its product with that of the template", () => {
    const longest = "a".repeat(65_536);
    expect(new UriTemplate("{a}").match(longest)).toEqual({ a: longest });
    expect(new UriTemplate("{a}").match(`${longest}a`)).toBeNull();
    const template = new UriTemplate("{a}".repeat(20_000));
    expect(template.match("a".repeat(500))).toBeNull();
    expect(steps(String(template), longest)).toBe(0);
  });
});

const folder = new URL("../../../shared/official/uritemplate/", import.meta.url);
type Groups = Record<string, { variables: Variables; testcases: [string, string | string[] | false][] }>;

describe.skipIf(!existsSync(folder))("the test vectors of uritemplate-test", () => {
  const files = ["spec-examples", "spec-examples-by-section", "extended-tests", "negative-tests"];
  const groups = files.flatMap((file) => {
    const url = new URL(`${file}.json`, folder);
    return existsSync(url) ? Object.entries(JSON.parse(readFileSync(url, "utf8")) as Groups) : [];
  });

  test.each(groups)("%s", (_, { variables, testcases }) => {
    for (const [template, expected] of testcases) {
      const expand = () => new UriTemplate(template).expand(variables);
      if (expected === false) expect(expand, template).toThrow(SdkError);
      else expect([expected].flat(), template).toContain(expand());
    }
  });
});
