import { expect, test } from "vitest";
import { cleanErrorText } from "../../../runtime/src/auth/error-text.js";

const secret = "s3cret-of-the-client";

test.each([
  ["access_denied", "access_denied"],
  [`unknown client ${secret}`, "unknown client [hidden]"],
  [`cut off: ${secret.slice(0, 10)}`, "cut off: [hidden]"],
  ["token eyJhbGciOiJub25lIn0.e30.", "token [hidden]"],
  ["two\nlines", "two lines"],
  ["", undefined],
  [7, undefined],
])("%j becomes %j", (text, clean) => {
  expect(cleanErrorText(text, [secret, ""])).toBe(clean);
});
