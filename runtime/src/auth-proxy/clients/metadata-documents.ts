import { readBounded } from "../../auth/discovery/read-bounded.js";
import { guardedFetch } from "../../auth-node.js";
import { raceAbort } from "../../timing/race-abort.js";
import { checkClientMetadata, ClientMetadataError } from "./client-metadata.js";
import type { MetadataDocumentOptions } from "../oauth-proxy-options.js";
import type { RedirectRules } from "./redirect-uris.js";
import { GenerationCache } from "../../collections/generation-cache.js";
import { parseJsonObject } from "../../jsonrpc/parse-json-object.js";

/** A metadata document cannot be used. Its message goes to the user. */
export class MetadataDocumentError extends Error {
  constructor(
    message: string,
    /** Whether the document may well be there later. */
    readonly isTemporary = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How long, and how many, documents are used whose host does not respond. */
const staleMs = 86_400_000;
const maxStale = 2_000;

/** A document that was accepted. */
interface AcceptedDocument {
  readonly metadata: object;
  /** The `Date.now()` at which it arrived. */
  readonly at: number;
}

/** Why the document of a client could not be used; undefined for other errors of the engine. */
export function documentProblem(error: Error): string | undefined {
  return error.cause instanceof MetadataDocumentError ? error.cause.message : undefined;
}

/** Fetches the metadata documents of clients, whose URLs come from unknown senders, and checks them. */
export class MetadataDocuments {
  readonly maxBytes: number;
  readonly #timeoutMs: number;
  readonly #maxConcurrent: number;
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #fetch;
  readonly #redirects: RedirectRules;
  readonly #accepted = new GenerationCache<AcceptedDocument>(maxStale);
  #running = 0;

  constructor(options: MetadataDocumentOptions, redirects: RedirectRules) {
    const { maxBytes = 10_240, timeoutMs = 5_000, maxConcurrent = 20, hosts, allow } = options;
    this.maxBytes = maxBytes;
    this.#timeoutMs = timeoutMs;
    this.#maxConcurrent = maxConcurrent;
    this.#hosts = hosts && new Set(hosts.map((host) => host.toLowerCase()));
    this.#fetch = options.fetch ?? guardedFetch(allow ? { allow } : {});
    this.#redirects = redirects;
  }

  /**
   * Fetches a document and returns it with the headers for caches. While its host fails, or others take all the time, one that was
   * accepted within a day is used, so that the clients' refresh tokens stay valid.
   * @throws MetadataDocumentError
   */
  async fetch(id: string): Promise<Response> {
    const url = new URL(id);
    if (this.#hosts && !this.#hosts.has(url.hostname))
      throw new MetadataDocumentError(`metadata documents of ${url.hostname} are not accepted here`);
    try {
      return await this.#fetchInTurn(url);
    } catch (error) {
      const { metadata, at = -Infinity } = this.#accepted.get(url.href) ?? {};
      const isUsable = error instanceof MetadataDocumentError && error.isTemporary && Date.now() - at < staleMs;
      if (isUsable) return Response.json(metadata);
      if (error instanceof MetadataDocumentError && !error.isTemporary) this.#accepted.delete(url.href);
      throw error;
    }
  }

  async #fetchInTurn(url: URL): Promise<Response> {
    if (this.#running >= this.#maxConcurrent)
      throw new MetadataDocumentError("too many metadata documents are being fetched; try again later", true);
    this.#running++;
    try {
      return await this.#fetchNow(url);
    } finally {
      this.#running--;
    }
  }

  async #fetchNow(url: URL): Promise<Response> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    let response: Response;
    let text: string | undefined;
    try {
      const init: RequestInit = { headers: { accept: "application/json" }, redirect: "manual", signal };
      // A `fetch` of the user may ignore the signal.
      response = await raceAbort(signal, this.#fetch(url, init));
      text = response.status === 200 ? await readBounded(response, this.maxBytes, signal) : "";
    } catch (error) {
      // The cause could describe the network of this server.
      throw new MetadataDocumentError(
        signal.aborted
          ? `the metadata document did not arrive within ${this.#timeoutMs} ms`
          : "the metadata document cannot be fetched",
        true,
        { cause: error },
      );
    }
    if (response.status !== 200) {
      await response.body?.cancel().catch(() => undefined);
      const redirects = response.status >= 300 && response.status < 400;
      throw new MetadataDocumentError(
        `the metadata document must be served with the status 200; got ${response.status}${redirects ? ", and redirects are not followed" : ""}`,
        response.status >= 500,
      );
    }
    if (text === undefined)
      throw new MetadataDocumentError(`the metadata document must not be larger than ${this.maxBytes} bytes`);
    return this.#check(text, url, response.headers);
  }

  #check(text: string, url: URL, received: Headers): Response {
    const document = parseJsonObject(text);
    if (!document) throw new MetadataDocumentError("the metadata document must be a JSON object");
    try {
      const { client_id } = document;
      // A public client is the rule: a document cannot contain a secret.
      const { token_endpoint_auth_method = "none" } = document;
      const checked = checkClientMetadata({ ...document, token_endpoint_auth_method }, this.#redirects);
      const metadata = { client_id, ...("client_secret" in document && { client_secret: true }), ...checked };
      this.#accepted.set(url.href, { metadata, at: Date.now() });
      const headers = new Headers({ "content-type": "application/json" });
      for (const name of ["cache-control", "expires"]) {
        const value = received.get(name);
        if (value !== null) headers.set(name, value);
      }
      return Response.json(metadata, { headers });
    } catch (error) {
      if (error instanceof ClientMetadataError)
        throw new MetadataDocumentError(`the metadata document of ${url.hostname}: ${error.message}`);
      throw error;
    }
  }
}
