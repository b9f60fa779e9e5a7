/** What the consent page shows of clients that choose their names and hosts to mislead users. */
import { expect, it } from "vitest";
import { clientNameOf, isWebRedirect, redirectHost } from "../../../runtime/src/auth-proxy/pages/consent-page.js";
import { displayText } from "../../../runtime/src/pages/html.js";
import type { PendingAuthorization } from "../../../runtime/src/auth-proxy/proxy-pages.js";

const nameOf = (clientName: string): string => clientNameOf({ clientName, clientId: "id" } as PendingAuthorization);

it.each([
  ["nothing", "", "id"],
  ["spaces", " \u00A0\u3000\t\n", "id"],
  ["characters without a shape", "\u200B\u2060\uFEFF\u00AD\u034F\u115F\u3164\uFFA0\u180E\u{E0041}\uFE0F", "id"],
  ["an empty Braille pattern", "\u2800", "id"],
  ["controls of direction", "\u202Eelpmaxe\u2066\u061C", "elpmaxe"],
  ["lines", "Example\r\n\u2028\u2029\u0085App", "ExampleApp"],
  ["halves of characters", "\uD800Example\uDC00", "Example"],
  [
    "stacked marks",
    `E${"\u0301".repeat(50)}xample${"\u20DD\u0336".repeat(9)}`,
    "É\u0301\u0301\u0301xample\u20DD\u0336\u20DD",
  ],
  ["a script with many marks", "हिन्दी ไทยที่นี่ Việt עִבְרִית", "हिन्दी ไทยที่นี่ Việt עִבְרִית".normalize("NFC")],
  ["a thousand characters", "\u{1F600}".repeat(1_000), `${"\u{1F600}".repeat(80)}…`],
])("a name of %s", (_name, given, shown) => {
  expect(nameOf(given)).toBe(shown);
});

it("shortens a name of ten million characters in no time", () => {
  expect(displayText("\u202Ea\u0301 ".repeat(3_000_000), 80)).toHaveLength(81);
});

it.each([
  ["https://evil.example:8443/good.example", "evil.example"],
  ["https://good.example.evil.example/", "good.example.evil.example"],
  ["https://go\u043Ed.example/", "xn--god-ted.example"],
  ["https://EVIL.example/", "evil.example"],
  ["https://2130706433/", "this computer (127.0.0.1)"],
  ["http://[::1]:9/", "this computer ([::1])"],
  ["https://localhost./", "this computer (localhost.)"],
  ["https://app.localhost/", "this computer (app.localhost)"],
  ["https://0.0.0.0/", "this computer (0.0.0.0)"],
  ["https://[::]/", "this computer ([::])"],
  ["com.example.app:/callback", "an application on this device (com.example.app:)"],
])("the host of %s", (uri, host) => {
  expect(redirectHost(uri)).toBe(host);
  expect(isWebRedirect(uri)).toBe(host.endsWith(".example"));
});
