import { expect, test } from "vitest";
import { parseUrl } from "../../../runtime/src/jsonrpc/parse-url.js";

test("resolves references, and returns undefined for what is not a URL", () => {
  expect(parseUrl("../b", new URL("https://a.example/x/y"))?.href).toBe("https://a.example/b");
  expect([parseUrl("b"), parseUrl("https://")]).toEqual([undefined, undefined]);
});

test("accepts hosts with letters of Latin-1 however often it is called", () => {
  for (let times = 0; times < 20_000; times++)
    if (!parseUrl("https://münchen.example/")) expect.fail(`rejected call ${times}`);
});
