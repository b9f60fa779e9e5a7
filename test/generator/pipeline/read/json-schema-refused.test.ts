import { describe, expect, test } from "vitest";
import { DiagnosticCollector } from "../../../../generator/pipeline/passes/diagnostic-collector.js";
import { resolveReferences } from "../../../../generator/pipeline/passes/scope.js";
import { readJsonSchema } from "../../../../generator/pipeline/read/json-schema.js";
import { marked } from "../../shared/diagnostics/marked.js";
import { line, problems } from "../../shared/diagnostics/problems.js";

const refused = (text: string): string[] => problems(() => readJsonSchema(text, "s.json"));

describe("rejects a text that is not JSON, at the position of the error", () => {
  test.each<[what: string, source: string]>([
    ["empty", "▸"],
    ["truncated after a member", '{\n  "definitions": {\n    "A": {}▸'],
    ["truncated in a name", '{\n  "defin▸'],
    ["truncated in a literal", '{ "definitions": tr▸'],
    ["an unknown word", '{\n  "definitions": tru▸ }'],
    ["a token out of place", '{\n  "a": [1, ▸}'],
    ["another language", "▸<!DOCTYPE html>\n<p>"],
    ["a trailing comma", '{\n  "a": 1,\n▸}'],
    ["text after the end", '{ "definitions": {} } ▸x'],
    ["a line break in a string", '{ "a": "b▸\nc" }'],
    ["with CRLF", '{\r\n  "a": 1,\r\n▸}'],
    ["after a byte order mark", "\uFEFF{ ▸x }"],
  ])("%s", (_, source) => {
    const { text, place } = marked(source);
    expect(refused(text)).toEqual([
      expect.stringMatching(new RegExp(`^s\\.json:${place} json-malformed: invalid JSON: `)),
    ]);
  });
});

describe("rejects JSON without definitions", () => {
  test.each([
    "null",
    "[]",
    '"definitions"',
    "5",
    "{}",
    '{ "definitions": [] }',
    '{ "$defs": null }',
    '{ "properties": {} }',
  ])("%s", (text) => {
    expect(refused(text)).toEqual(["s.json:1:1 json-not-schema: no `definitions` or `$defs` object found"]);
  });
});

/** A file with a single definition, `A`. */
const inA = (schema: string): string => `{ "definitions": {\n"A": ${schema}\n}}`;

describe("rejects a keyword outside the grammar", () => {
  test.each<[schema: string, keyword: string, pointer: string]>([
    ['{ "type": "array", "prefixItems": ▸[] }', "prefixItems", "#/definitions/A"],
    ['{ "type": "array", "contains": ▸{} }', "contains", "#/definitions/A"],
    ['{ "type": "object", "unevaluatedProperties": ▸false }', "unevaluatedProperties", "#/definitions/A"],
    ['{ "$dynamicRef": ▸"#a" }', "$dynamicRef", "#/definitions/A"],
    ['{ "$id": ▸"a" }', "$id", "#/definitions/A"],
    ['{ "requird": ▸[] }', "requird", "#/definitions/A"],
    ['{ "type": "object", "properties": { "a/b~": { "if": ▸{} } } }', "if", "#/definitions/A/properties/a~1b~0"],
    ['{ "type": "array", "items": { "anyOf": [{}, { "then": ▸{} }] } }', "then", "#/definitions/A/items/anyOf/1"],
    ['{ "items": { "$defs": ▸{} } }', "$defs", "#/definitions/A/items"],
  ])("%s", (schema, keyword, pointer) => {
    const { text, place } = marked(inA(schema));
    const message = `keyword ${keyword} at ${pointer} is not part of the schema grammar`;
    expect(refused(text)).toEqual([`s.json:${place} json-unsupported-keyword: ${message}`]);
  });
});

describe("rejects a keyword with a value of the wrong type", () => {
  const types = "a JSON Schema type name";
  const scalar = "a string, number, boolean or null";
  test.each<[schema: string, keyword: string, at: string, expected: string]>([
    ["▸5", "A", "", "a schema object"],
    ['{ "type": "array", "items": ▸5 }', "items", "/A", "a schema object"],
    ['{ "oneOf": ▸[] }', "oneOf", "/A", "a non-empty array"],
    ['{ "oneOf": [{}, ▸5] }', "1", "/A/oneOf", "a schema object"],
    ['{ "not": ▸5 }', "not", "/A", "a schema object"],
    ['{ "if": {}, "then": ▸5 }', "then", "/A", "a schema object"],
    ['{ "nullable": ▸true }', "nullable", "/A", "beside `type`"],
    ['{ "type": "string", "nullable": ▸"yes" }', "nullable", "/A", "true or false"],
    ['{ "type": "string", "minLength": ▸-1 }', "minLength", "/A", "a non-negative integer"],
    ['{ "type": "array", "maxItems": ▸0.5 }', "maxItems", "/A", "a non-negative integer"],
    ['{ "type": "array", "uniqueItems": ▸1 }', "uniqueItems", "/A", "true or false"],
    ['{ "type": "object", "minProperties": ▸"1" }', "minProperties", "/A", "a non-negative integer"],
    ['{ "type": "number", "multipleOf": ▸0 }', "multipleOf", "/A", "greater than 0"],
    ['{ "type": "number", "exclusiveMinimum": ▸true }', "exclusiveMinimum", "/A", "a number"],
    ['{ "type": "string", "pattern": ▸"(" }', "pattern", "/A", "a regular expression of ECMAScript with the flag u"],
    [
      '{ "type": "object", "patternProperties": { "(": ▸{} } }',
      "(",
      "/A/patternProperties",
      "a regular expression of ECMAScript with the flag u",
    ],
    ['{ "type": "object", "patternProperties": { "a": ▸5 } }', "a", "/A/patternProperties", "a schema object"],
    ['{ "type": "object", "propertyNames": ▸5 }', "propertyNames", "/A", "a schema object"],
    ['{ "dependentRequired": { "a": ▸"b" } }', "a", "/A/dependentRequired", "a list of member names"],
    ['{ "type": ▸5 }', "type", "/A", types],
    ['{ "type": ▸"strin" }', "type", "/A", types],
    ['{ "type": ▸["string", 5] }', "type", "/A", types],
    ['{ "type": ▸[] }', "type", "/A", "a non-empty array"],
    ['{ "enum": ▸{} }', "enum", "/A", "a non-empty array"],
    ['{ "enum": ▸[] }', "enum", "/A", "a non-empty array"],
    ['{ "enum": ["a", ▸{}] }', "1", "/A/enum", scalar],
    ['{ "const": ▸[] }', "const", "/A", scalar],
    ['{ "const": ▸1e400 }', "const", "/A", scalar],
    ['{ "type": "number", "minimum": ▸1e400 }', "minimum", "/A", "a number"],
    ['{ "anyOf": ▸[] }', "anyOf", "/A", "a non-empty array"],
    ['{ "allOf": ▸[] }', "allOf", "/A", "a non-empty array"],
    ['{ "anyOf": ▸"x" }', "anyOf", "/A", "a non-empty array"],
    ['{ "anyOf": [▸5] }', "0", "/A/anyOf", "a schema object"],
    ['{ "$ref": ▸5 }', "$ref", "/A", "a string"],
    ['{ "type": "string", "format": ▸5 }', "format", "/A", "a string"],
    ['{ "type": "number", "minimum": ▸"0" }', "minimum", "/A", "a number"],
    ['{ "type": "array", "items": ▸[] }', "items", "/A", "a schema object"],
    ['{ "type": "object", "properties": ▸[] }', "properties", "/A", "an object"],
    ['{ "type": "object", "properties": { "a": ▸1 } }', "a", "/A/properties", "a schema object"],
    ['{ "type": "object", "required": ▸"a" }', "required", "/A", "a list of member names"],
    ['{ "type": "object", "required": ▸[5] }', "required", "/A", "a list of member names"],
    ['{ "type": "object", "additionalProperties": ▸null }', "additionalProperties", "/A", "a schema object"],
  ])("%s", (schema, keyword, at, expected) => {
    const { text, place } = marked(inA(schema));
    expect(refused(text)).toEqual([
      `s.json:${place} json-invalid-keyword: ${keyword} at #/definitions${at} must be ${expected}`,
    ]);
  });
});

describe("rejects a reference to anything but a definition", () => {
  test.each<[reference: string, expected: string]>([
    [
      "https://example.com/schema.json",
      "json-remote-reference: $ref https://example.com/schema.json at #/definitions/A does not name a definition of the other file",
    ],
    [
      "other.json#/properties/b",
      "json-remote-reference: $ref other.json#/properties/b at #/definitions/A does not name a definition of the other file",
    ],
    ["", "unresolved-reference:  is not declared in this schema"],
    ["#", "unresolved-reference: # is not declared in this schema"],
    ["#/properties/B", "unresolved-reference: #/properties/B is not declared in this schema"],
    ["#/$defs/B", "unresolved-reference: #/$defs/B is not declared in this schema"],
    [
      "#/definitions/B/properties/c",
      "unresolved-reference: #/definitions/B/properties/c is not declared in this schema",
    ],
  ])("%s", (reference, expected) =>
    expect(refused(inA(`{ "$ref": "${reference}" }`))).toEqual([`s.json:2:16 ${expected}`]),
  );

  test("reports a missing definition when references are resolved", () => {
    const collector = new DiagnosticCollector(false);
    resolveReferences(readJsonSchema(inA('{ "$ref": "#/definitions/toString" }'), "s.json"), collector);
    expect(collector.errors.map(line)).toEqual([
      "s.json:2:16 unresolved-reference: toString is not declared in this schema",
    ]);
  });
});

describe("rejects a pattern that an engine may need exponential time for", () => {
  test.each<[schema: string, place: string, reason: string]>([
    ['{ "type": "string", "pattern": ▸"^(a+)+$" }', "pattern", "a repeated part can match the same text in two ways"],
    ['{ "type": "string", "pattern": ▸"(a*)*" }', "pattern", "a repetition contains a repetition"],
    [
      '{ "type": "string", "pattern": ▸"^(\\\\w|\\\\d)*$" }',
      "pattern",
      "a repeated part can match the same text in two ways",
    ],
    [
      '{ "type": "string", "pattern": ▸"^([\\\\u0e00-\\\\u0eff]|\\\\p{Mn})*$" }',
      "pattern",
      "a repeated part can match the same text in two ways",
    ],
    ['{ "type": "string", "pattern": ▸"(.)\\\\1" }', "pattern", "it has a backreference"],
    ['{ "type": "string", "pattern": ▸"a{9999}" }', "pattern", "it is too large to be checked"],
    [
      '{ "type": "object", "patternProperties": { "(a|a)*": ▸{} } }',
      "patternProperties/(a|a)*",
      "a repeated part can match the same text in two ways",
    ],
  ])("%s", (schema, at, reason) => {
    const { text, place } = marked(inA(schema));
    const [problem = ""] = refused(text);
    expect(problem.startsWith(`s.json:${place} json-unsafe-pattern: `)).toBe(true);
    expect(problem.endsWith(`at #/definitions/A/${at} may take exponential time: ${reason}`)).toBe(true);
  });

  test.each([
    "^[a-z]+(-[a-z]+)*$",
    "^(?:[A-Za-z0-9+/]{4})*$",
    "^([a-z]{1,63}\\.)+[a-z]{2,}$",
    "^(?!x)[^/]+(/[^/]+)*$",
    "^(\\p{L}|[\\p{N}_\\]])*$",
  ])("but not %s", (pattern) => expect(refused(inA(JSON.stringify({ type: "string", pattern })))).toEqual([]));
});

test("rejects keywords beside a reference where the dialect ignores them", () => {
  const text = (dialect: string): string =>
    `{ "$schema": "${dialect}", "definitions": {\n"A": { "$ref": "#/definitions/B", "title": "", "maxLength": 3 }, "B": {} } }`;
  expect(refused(text("http://json-schema.org/draft-07/schema#"))).toEqual([
    "s.json:2:61 json-ignored-sibling: draft-07 ignores maxLength beside $ref at #/definitions/A",
  ]);
  expect(refused(text("https://json-schema.org/draft/2020-12/schema"))).toEqual([]);
});

describe("rejects repeated names, although JSON.parse drops the first:", () => {
  test.each<[what: string, text: string, expected: string]>([
    [
      "a definition",
      '{ "definitions": {\n"A": {},\n"A": { "type": "string" }\n}}',
      "s.json:3:6 duplicate-declaration: A is declared twice; the first declaration is at s.json:2:6",
    ],
    [
      "a definition, once with an escape",
      '{ "definitions": {\n"A": {},\n"\\u0041": {}\n}}',
      "s.json:3:11 duplicate-declaration: A is declared twice; the first declaration is at s.json:2:6",
    ],
    [
      "a member",
      inA('{ "type": "object", "properties": {\n"b": {},\n"b": {} } }'),
      "s.json:4:6 duplicate-member: member b is declared twice in #/definitions/A/properties",
    ],
    [
      "the container",
      '{ "definitions": {}, "definitions": { "A": {} } }',
      "s.json:1:37 duplicate-member: member definitions is declared twice in #/",
    ],
  ])("%s", (_, text, expected) => expect(refused(text)).toEqual([expected]));
});

test("reports the problems of all definitions together", () => {
  expect(refused('{ "$defs": {\n"A": { "contains": {} },\n"B": {},\n"C": { "$ref": "x" }\n}}')).toEqual([
    "s.json:2:20 json-unsupported-keyword: keyword contains at #/$defs/A is not part of the schema grammar",
    "s.json:4:16 json-remote-reference: $ref x at #/$defs/C does not name a definition of the other file",
  ]);
});

test("rejects endlessly nested schemas at once", () => {
  const deep = `${'{"anyOf":['.repeat(50_000)}{}${"]}".repeat(50_000)}`;
  const started = performance.now();
  expect(refused(inA(deep))).toEqual([
    `s.json:2:${6 + 32 * 10} json-too-deep: schemas nest deeper than 64 levels at #/definitions/A${"/anyOf/0".repeat(32)}`,
  ]);
  expect(performance.now() - started).toBeLessThan(2_000);
});
