import { expect, test } from "vitest";
import { principalOf, tokenInfoOf } from "../../../../runtime/src/auth-server.js";

test("a principal has the facts of a token, and shows no token when it is printed", () => {
  const principal = principalOf({ token: "secret-token", clientId: "desk", scopes: ["read"], subject: "ada" });
  expect(principal).toMatchObject({ subject: "ada", clientId: "desk" });
  expect(JSON.stringify(principal)).not.toContain("secret-token");
  expect(tokenInfoOf({ principal })).toEqual({
    token: "secret-token",
    clientId: "desk",
    subject: "ada",
    scopes: ["read"],
    extra: {},
  });
});

test("a principal of another node has no token", () => {
  const info = {
    token: "secret-token",
    clientId: "desk",
    scopes: ["read"],
    expiresAt: 7,
    resource: "https://a.example",
  };
  const principal = JSON.parse(JSON.stringify(principalOf(info))) as ReturnType<typeof principalOf>;
  expect(tokenInfoOf({ principal })).toMatchObject({ token: "", clientId: "desk", expiresAt: 7 });
  expect(String(tokenInfoOf({ principal })?.resource)).toBe("https://a.example/");
});

test("a request without a token has no information", () => {
  expect(tokenInfoOf({})).toBeUndefined();
  expect(tokenInfoOf({ principal: { issuer: "https://a.example", subject: "ada" } })).toBeUndefined();
});

test.each([
  [{ token: "", clientId: "a", scopes: [] }, /token must be/],
  [{ token: "a", scopes: [] }, /clientId must be/],
  [{ token: "a", clientId: "a", scopes: "read" }, /scopes must be/],
  [{ token: "a", clientId: "a", scopes: [7] }, /scopes must be/],
  [{ token: "a", clientId: "a", scopes: [], subject: "" }, /subject must be/],
  [{ token: "a", clientId: "a", scopes: [], expiresAt: "soon" }, /expiresAt must be/],
  [undefined, /must be an object/],
])("information that is not valid is an error", (info, message) => {
  expect(() => principalOf(info as never)).toThrow(message);
});
