import { expect, test } from "vitest";
import { enterpriseManagedAuthorization, oauthClientCredentials } from "../../../runtime/src/auth.js";
import { Client } from "../../../runtime/src/client.js";

test.each([oauthClientCredentials, enterpriseManagedAuthorization])("a client can declare the extension %s", (id) => {
  const capabilities = { extensions: { [id]: {} } };
  expect(() => new Client({ name: "service", version: "1.0.0" }, { capabilities })).not.toThrow();
});
