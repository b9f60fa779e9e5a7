import { expect, test } from "vitest";
import { AuthorizationError, InsufficientScopeError, UnauthorizedError } from "../../../runtime/src/auth.js";
import { SdkError } from "../../../runtime/src/index.js";

test.each([
  [
    new AuthorizationError("denied", "the user refused", { issuer: "https://auth.example" }),
    "AuthorizationError",
    "AUTHORIZATION_FAILED",
    { reason: "denied", issuer: "https://auth.example" },
  ],
  [
    new UnauthorizedError("log in first", new URL("https://auth.example/log-in")),
    "UnauthorizedError",
    "UNAUTHORIZED",
    { authorizationUrl: "https://auth.example/log-in" },
  ],
  [
    new InsufficientScopeError("write is missing", ["write"], ["read"], "tools/call save"),
    "InsufficientScopeError",
    "INSUFFICIENT_SCOPE",
    { required: ["write"], granted: ["read"], operation: "tools/call save" },
  ],
])("%s is an SdkError with a name, a code and data", (error, name, code, data) => {
  expect(error).toBeInstanceOf(SdkError);
  expect(error).toMatchObject({ name, code, data });
  expect(String(error)).toBe(`${name}: ${error.message}`);
});
