import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bearerParameters, parseChallenges } from "../../../../runtime/src/auth/discovery/challenge.js";

describe("parseChallenges", () => {
  test.each<[string, string | undefined, readonly (readonly [string, Readonly<Record<string, string>>])[]]>([
    ["no header", undefined, []],
    ["an empty header", "", []],
    ["a scheme alone", "Bearer", [["Bearer", {}]]],
    ["one parameter", 'Bearer realm="api"', [["Bearer", { realm: "api" }]]],
    [
      "several parameters, in any order",
      'Bearer scope="a b", error="invalid_token", resource_metadata="https://h/x"',
      [["Bearer", { scope: "a b", error: "invalid_token", resource_metadata: "https://h/x" }]],
    ],
    ["names of any case", 'bearer Scope="a"', [["bearer", { scope: "a" }]]],
    [
      "values without quotes",
      "Bearer error=invalid_token, scope=a",
      [["Bearer", { error: "invalid_token", scope: "a" }]],
    ],
    [
      "a URL without quotes",
      "Bearer resource_metadata=https://h/.well-known/x?a=1, scope=a",
      [["Bearer", { resource_metadata: "https://h/.well-known/x?a=1", scope: "a" }]],
    ],
    [
      "commas and equals signs in quotes",
      'Bearer a="x, Basic y=1", b="2"',
      [["Bearer", { a: "x, Basic y=1", b: "2" }]],
    ],
    ["escapes in quotes", String.raw`Bearer a="say \"hi\", \\ bye"`, [["Bearer", { a: String.raw`say "hi", \ bye` }]]],
    ["an empty quoted value", 'Bearer a="", b="1"', [["Bearer", { a: "", b: "1" }]]],
    ["odd white space", '  Bearer\t a = "1" ,, \t b= 2 ,', [["Bearer", { a: "1", b: "2" }]]],
    ["parameters without commas between them", 'Bearer a="1" b="2"', [["Bearer", { a: "1", b: "2" }]]],
    [
      "several challenges",
      'Basic realm="x", Bearer scope="a", error="e", DPoP algs="ES256 PS256"',
      [
        ["Basic", { realm: "x" }],
        ["Bearer", { scope: "a", error: "e" }],
        ["DPoP", { algs: "ES256 PS256" }],
      ],
    ],
    [
      "challenges without a comma between them",
      'Basic realm="x" Bearer scope="a"',
      [
        ["Basic", { realm: "x" }],
        ["Bearer", { scope: "a" }],
      ],
    ],
    [
      "credentials without names",
      'Negotiate YII+/a==, NTLM, Bearer scope="a"',
      [
        ["Negotiate", {}],
        ["NTLM", {}],
        ["Bearer", { scope: "a" }],
      ],
    ],
    ["the first of repeated parameters", 'Bearer a="1", A="2"', [["Bearer", { a: "1" }]]],
    [
      "names of inherited members",
      'Bearer __proto__="1", constructor="2"',
      [
        [
          "Bearer",
          Object.fromEntries([
            ["__proto__", "1"],
            ["constructor", "2"],
          ]),
        ],
      ],
    ],
    ["parameters before the first scheme", 'a="1", Bearer b="2"', [["Bearer", { b: "2" }]]],
    ["a quoted string that does not end", 'Bearer scope="a, error=b', [["Bearer", {}]]],
    ["stray quotes and characters", '"x" @, Bearer ()a="1"', [["Bearer", { a: "1" }]]],
  ])("reads %s", (_case, header, expected) => {
    expect(parseChallenges(header).map(({ scheme, parameters }) => [scheme, parameters])).toEqual(expected);
  });

  test("reads at most 16 challenges and 16 KiB, in linear time", () => {
    expect(parseChallenges("Bearer, ".repeat(1_000))).toHaveLength(16);
    expect(parseChallenges(`Bearer a="${"x".repeat(20_000)}"`)[0]?.parameters["b"]).toBeUndefined();
    for (const part of ['"', "=", "a ", "a=", ",", "\\", 'a="\\', " ", "a~"]) parseChallenges(part.repeat(1_000_000));
  });

  test("never throws", () => {
    const piece = fc.constantFrom("Bearer", " ", ",", "=", '"', "\\", "a", "==", "\t", "DPoP ", "\u0000", "é");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const { scheme, parameters } of parseChallenges(pieces.join("")))
          expect([scheme, ...Object.values(parameters)].every((text) => typeof text === "string")).toBe(true);
      }),
    );
  });
});

describe("bearerParameters", () => {
  test.each([
    ["no challenge", undefined, {}],
    ["other schemes only", 'Basic scope="a"', {}],
    ["Bearer", 'Basic realm="x", BEARER scope="a"', { scope: "a" }],
    ["DPoP", 'DPoP error="use_dpop_nonce", algs="ES256"', { error: "use_dpop_nonce", algs: "ES256" }],
    ["the first value of Bearer and DPoP", 'Bearer scope="a", DPoP scope="b", error="e"', { scope: "a", error: "e" }],
  ])("joins the parameters of %s", (_case, header, expected) => {
    expect(bearerParameters(header)).toEqual(expected);
  });
});
