/** A change that clients may want to know about. */
export type ServerEvent = (
  | { kind: "tools_list_changed" }
  | { kind: "prompts_list_changed" }
  | { kind: "resources_list_changed" }
  | { kind: "resource_updated"; uri: string }
) & { params?: Record<string, unknown> | undefined };

/** Passes changes on to the handlers of all processes that serve the same clients. */
export interface ServerEventBus {
  publish(event: ServerEvent): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** Passes changes on within one process. */
export class InMemoryServerEventBus implements ServerEventBus {
  readonly #listeners = new Set<(event: ServerEvent) => void>();
  readonly #onerror: ((error: Error) => void) | undefined;

  /** @param onerror called with the errors of listeners */
  constructor(onerror?: (error: Error) => void) {
    this.#onerror = onerror;
  }

  publish(event: ServerEvent): void {
    for (const listener of [...this.#listeners])
      try {
        listener(event);
      } catch (error) {
        this.#onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }
}

/** Publishes changes. */
export interface ServerNotifier {
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
}

export function notifierOf(bus: ServerEventBus): ServerNotifier {
  return {
    toolsChanged: () => bus.publish({ kind: "tools_list_changed" }),
    promptsChanged: () => bus.publish({ kind: "prompts_list_changed" }),
    resourcesChanged: () => bus.publish({ kind: "resources_list_changed" }),
    resourceUpdated: (uri) => bus.publish({ kind: "resource_updated", uri }),
  };
}

/** The change of the runtime for that of a bus. */
export function toChange(event: ServerEvent): {
  readonly kind: "tools" | "prompts" | "resources";
  readonly uri?: string;
} {
  if (event.kind === "resource_updated") return { kind: "resources", uri: event.uri };
  if (event.kind === "tools_list_changed") return { kind: "tools" };
  return { kind: event.kind === "prompts_list_changed" ? "prompts" : "resources" };
}
