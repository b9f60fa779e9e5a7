import type { Tool } from "../../authoring.js";
import type { ItemOrigin } from "../composition/join-items.js";
import type { JoinedItems } from "../lists/joined-items.js";
import type { LogInTools } from "./server-log-in.js";

const ownName = "log_in";
/** The origin of all tools that start a log-in. The tool of a server with the same name is another object. */
const origin: Tool = { name: ownName, inputSchema: { type: "object" } };

/** Makes the tools that stand for those of servers at which a user has not logged in. */
export class JoinedLogInTools implements LogInTools {
  /**
   * @param servers the names of all servers at which users log in
   * @param nameOf the name that clients see for a tool of a server
   */
  constructor(
    readonly servers: readonly string[],
    readonly nameOf: (server: string, name: string) => string,
  ) {}

  addTo(joined: JoinedItems<Tool>, servers: readonly string[]): JoinedItems<Tool> {
    if (servers.length === 0) return joined;
    const items = [...joined.items];
    const byName = new Map(joined.byName);
    for (const server of servers) {
      const name = this.#freeName(server, byName);
      byName.set(name, { server, name: ownName, item: origin });
      items.push({
        ...origin,
        name,
        title: `Log in to ${server}`,
        description:
          `Starts the log-in of the user at the server "${server}", whose tools are not available before. Call it when the user wants to ` +
          `use "${server}". After the log-in, the tools of the server are in the list, and this one is not.`,
        annotations: { readOnlyHint: true, openWorldHint: true },
      });
    }
    return { ...joined, items, byName };
  }

  find(name: string): ItemOrigin<Tool> | undefined {
    const server = this.servers.find((one) => this.#nameFor(one) === name);
    return server === undefined ? undefined : { server, name: ownName, item: origin };
  }

  has({ item }: ItemOrigin<Tool>): boolean {
    return item === origin;
  }

  loggedIn(server: string): Record<string, unknown> {
    const text = `The user is logged in at the server "${server}". List the tools again to see those of the server.`;
    return { content: [{ type: "text", text }] };
  }

  /** Contains the name of the server. */
  #nameFor(server: string): string {
    const name = this.nameOf(server, ownName);
    return name === ownName ? this.nameOf(server, `${server}_${ownName}`) : name;
  }

  #freeName(server: string, taken: ReadonlyMap<string, unknown>): string {
    const name = this.#nameFor(server);
    let free = name;
    for (let count = 2; taken.has(free); count++) free = `${name.slice(0, 120)}_${count}`;
    return free;
  }
}
