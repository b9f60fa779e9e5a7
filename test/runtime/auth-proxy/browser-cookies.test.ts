/** The cookies of the pages: with https, other hosts of the same site can neither set nor replace them. */
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { BrowserCookies, cookieNameOf } from "../../../runtime/src/auth-proxy/pages/browser-cookies.js";

const value = "v".repeat(43);
const withCookie = (cookie: string | undefined): IncomingMessage => ({ headers: { cookie } }) as IncomingMessage;

it.each([
  [true, `__Host-mcp-form=${value}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60`],
  [false, `mcp-form=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=60`],
])("with https %s: %s", (isSecure, expected) => {
  const cookies = new BrowserCookies(isSecure);
  expect(cookies.set("form", value, 60.9)).toBe(expected);
  expect(cookies.set("form", value)).toBe(expected.replace("; Max-Age=60", ""));
  expect(cookies.clear("form")).toBe(expected.replace(value, "").replace("=60", "=0"));
});

describe("with https, a cookie", () => {
  const cookies = new BrowserCookies(true);
  it.each<[string, string | undefined, string | undefined]>([
    ["alone", `__Host-mcp-form=${value}`, value],
    ["among others", `a=b; __Host-mcp-form=${value};c`, value],
    ["without the prefix", `mcp-form=${value}`, undefined],
    ["with the prefix that any host of the site can set", `__Secure-mcp-form=${value}`, undefined],
    ["with the prefix in another case", `__host-mcp-form=${value}`, undefined],
    ["after a character that is no space to browsers", `a=b; \u00a0__Host-mcp-form=${value}`, undefined],
    ["after a vertical tab", `\v__Host-mcp-form=${value}`, undefined],
    ["inside another one", `a=__Host-mcp-form=${value}`, undefined],
    ["twice", `__Host-mcp-form=${value}; __Host-mcp-form=${value}`, undefined],
    ["of a longer name", `__Host-mcp-form2=${value}`, undefined],
    ["without a value", "__Host-mcp-form=", undefined],
    ["in quotes", `__Host-mcp-form="${value}"`, undefined],
    ["that is too long", `__Host-mcp-form=${value}v`, undefined],
    ["with another character", `__Host-mcp-form=${"v".repeat(42)}%`, undefined],
    ["that is missing", undefined, undefined],
  ])("%s is read as %s: %s", (_name, header, expected) => {
    expect(cookies.read(withCookie(header), "form")).toBe(expected);
  });
});

it("each authorization has cookies of its own, and the oldest of too many are cleared", () => {
  const cookies = new BrowserCookies(true);
  const names = Array.from({ length: 12 }, (_, at) => cookieNameOf("form", `authorization ${at}`));
  expect(new Set(names).size).toBe(12);
  const header = [...names, cookieNameOf("login", "one"), "browser"]
    .map((name) => cookies.set(name, value).split(";")[0])
    .join("; ");
  expect(cookies.clearOldest(withCookie(header), "form")).toEqual(names.slice(0, 3).map((name) => cookies.clear(name)));
  expect(cookies.clearOldest(withCookie(header), "login")).toEqual([]);
  expect(cookies.clearOldest(withCookie(undefined), "form")).toEqual([]);
});
