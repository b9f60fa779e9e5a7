import { expect, it } from "vitest";
import { decodeBase64url } from "../../../runtime/src/auth-server/base64url.js";

it("decodes what Node encodes, at every length", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    expect(decodeBase64url(Buffer.from(bytes).toString("base64url"))).toEqual(bytes);
  }
});

it("decodes all characters", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  expect(decodeBase64url(alphabet)).toEqual(new Uint8Array(Buffer.from(alphabet, "base64url")));
});
