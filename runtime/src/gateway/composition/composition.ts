import type { GatewayServer } from "../gateway-options.js";
import { type NameOption, type NameScheme, nameScheme } from "./name-scheme.js";
import { ResourceUris } from "./resource-uris.js";
import { SelectedTools } from "./tool-selection.js";

/** How the items of several servers become those of one. */
export class Composition {
  readonly names: Readonly<Record<"tools" | "prompts", NameScheme>>;
  readonly #selections = new Map<string, SelectedTools>();
  readonly #servers: readonly string[];
  /** The URIs of resources that no server lists. */
  readonly unlistedUris: ResourceUris;

  /** @throws SdkError `INVALID_CONFIGURATION` when a selection of tools or the scheme of names is invalid */
  constructor(servers: Readonly<Record<string, GatewayServer>>, names: NameOption | undefined) {
    this.#servers = Object.keys(servers);
    this.names = {
      tools: nameScheme(names, this.#servers, "tools"),
      prompts: nameScheme(names, this.#servers, "prompts"),
    };
    for (const [name, { tools }] of Object.entries(servers)) this.#selections.set(name, new SelectedTools(tools));
    this.unlistedUris = this.newUris();
  }

  newUris(): ResourceUris {
    return new ResourceUris(this.#servers);
  }

  /** Which tools of a server clients see. */
  selectionOf(server: string): SelectedTools | undefined {
    return this.#selections.get(server);
  }
}
