import { expect, test } from "vitest";
import { authorizationRules } from "@mcpwright/protocol/authorization";
import { serverSides } from "@mcpwright/protocol/server-sides";

test("each revision with authorization has a row, newest first", () => {
  expect(authorizationRules.map(({ revision }) => revision)).toEqual(
    serverSides.filter(({ profile }) => profile.authorization !== "none").map(({ revision }) => revision),
  );
});

test("the rows agree with the profiles on the authorization model", () => {
  const profiles = new Map(serverSides.map(({ revision, profile }) => [revision, profile]));
  for (const { revision, resourceMetadata } of authorizationRules)
    expect(profiles.get(revision)?.authorization).toBe(resourceMetadata ? "resourceServer" : "authorizationServer");
});
