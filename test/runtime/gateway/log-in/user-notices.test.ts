/** Which clients are notified of changes at a server at which each user logs in. */
import { expect, test, vi } from "vitest";
import { linkIn, logInPlace } from "./log-in-place.js";

test.each(["2025-11-25", "2026-07-28"] as const)(
  "changes after a log-in reach the clients of the user only, client of %s",
  async (revision) => {
    const at = logInPlace();
    const connect = async (user: string) => {
      const client = await at.connect(user, revision);
      const changed = vi.fn();
      client.onChanged("tools", changed);
      await client.listTools();
      return { client, changed };
    };
    const [ann, again, bo] = await Promise.all([connect("ann"), connect("ann"), connect("bo")]);
    await expect.poll(() => at.subscribed()).toBeGreaterThanOrEqual(3);
    const asked = await ann.client.callTool({ name: "docs_log_in" });
    expect((await at.browserOf("ann").logIn(linkIn(asked))).status).toBe(200);
    await expect.poll(() => [ann, again].every(({ changed }) => changed.mock.calls.length > 0)).toBe(true);
    at.docs.notifyChanged({ kind: "tools" });
    await ann.client.listTools();
    expect(bo.changed).not.toHaveBeenCalled();
  },
);

test.each(["2025-11-25", "2026-07-28"] as const)(
  "updates of a resource reach the users who have it, client of %s",
  async (revision) => {
    const at = logInPlace();
    const updates: string[] = [];
    const clients = await Promise.all(["ann", "bo"].map((user) => at.connect(user, revision)));
    const [ann, bo] = clients as [(typeof clients)[0], (typeof clients)[0]];
    expect((await at.browserOf("ann").logIn(linkIn(await ann.callTool({ name: "docs_log_in" })))).status).toBe(200);
    await ann.subscribeResource({ uri: "docs://page" }, () => updates.push("ann"));
    if (revision === "2025-11-25")
      await expect(bo.subscribeResource({ uri: "docs://page" }, () => updates.push("bo"))).rejects.toMatchObject({
        data: { reason: "LOG_IN_REQUIRED" },
      });
    else expect(await bo.subscribeResource({ uri: "docs://page" }, () => updates.push("bo"))).toBe(false);
    await expect
      .poll(() => {
        at.docs.notifyChanged({ kind: "resources", uri: "docs://page" });
        return updates;
      })
      .toContain("ann");
    expect(updates).not.toContain("bo");
  },
);
