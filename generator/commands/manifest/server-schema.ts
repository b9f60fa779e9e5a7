/**
 * The published JSON Schema of `server.json` that this version writes.
 * `npm run pins:server-json` compares it with the pin and with our schema.
 */
export const publishedSchema = {
  version: "2025-12-11",
  url: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  /** SHA-256 of the file. */
  sha256: "3fba09590c99f61735d234822279f4223fab9e300c0a81e81c91ab62a4114de0",
  /** SHA-256 of its constraints, without the texts for people: canonical JSON. */
  constraints: "4556ad17e3a98d8865f0124c97a227031591f98cacdf6b656e56c0c56d187e32",
};

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const flag: Schema = { type: "boolean" };
const url: Schema = { type: "string", format: "uri" };
const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
const list = (items: Schema): Schema => ({ type: "array", items });
const oneOf = (...values: readonly string[]): Schema => ({ type: "string", enum: values });
const mapOf = (values: Schema): Schema => ({ type: "object", additionalProperties: values });
const object = (properties: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
/** An object of another type with further members. */
const extended = (name: string, more: Schema): Schema => ({ allOf: [ref(name), more] });

const httpTransport = (type: string): Schema =>
  object(
    {
      type: oneOf(type),
      // May contain variables in braces, and is then not yet a URL.
      url: { type: "string", pattern: String.raw`^https?://[^\s]+$` },
      headers: list(ref("KeyValueInput")),
    },
    "type",
    "url",
  );

const argumentOf = (type: string, more: Readonly<Record<string, Schema>>, ...required: readonly string[]): Schema =>
  object({ type: oneOf(type), isRepeated: flag, ...more }, "type", ...required);

/** What an entry of the registry must satisfy. Members that it does not name are allowed. */
export const serverSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $ref: "#/definitions/ServerDetail",
  definitions: {
    ServerDetail: object(
      {
        $schema: url,
        name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
        title: { type: "string", minLength: 1, maxLength: 100 },
        description: { type: "string", minLength: 1, maxLength: 100 },
        version: { type: "string", maxLength: 255 },
        repository: ref("Repository"),
        websiteUrl: url,
        icons: list(ref("Icon")),
        packages: list(ref("Package")),
        remotes: list(ref("RemoteTransport")),
        _meta: object({ "io.modelcontextprotocol.registry/publisher-provided": mapOf(true as unknown as Schema) }),
      },
      "name",
      "description",
      "version",
    ),
    Repository: object({ url, source: text, id: text, subfolder: text }, "url", "source"),
    Icon: object(
      {
        src: { ...url, maxLength: 255 },
        mimeType: oneOf("image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"),
        sizes: list({ type: "string", pattern: String.raw`^(\d+x\d+|any)$` }),
        theme: oneOf("light", "dark"),
      },
      "src",
    ),
    Package: object(
      {
        registryType: text,
        registryBaseUrl: url,
        identifier: text,
        version: { type: "string", minLength: 1, not: { const: "latest" } },
        fileSha256: { type: "string", pattern: "^[a-f0-9]{64}$" },
        runtimeHint: text,
        runtimeArguments: list(ref("Argument")),
        packageArguments: list(ref("Argument")),
        environmentVariables: list(ref("KeyValueInput")),
        transport: ref("LocalTransport"),
      },
      "registryType",
      "identifier",
      "transport",
    ),
    LocalTransport: { anyOf: [ref("StdioTransport"), ref("StreamableHttpTransport"), ref("SseTransport")] },
    RemoteTransport: {
      allOf: [
        { anyOf: [ref("StreamableHttpTransport"), ref("SseTransport")] },
        object({ variables: mapOf(ref("Input")) }),
      ],
    },
    StdioTransport: object({ type: oneOf("stdio") }, "type"),
    StreamableHttpTransport: httpTransport("streamable-http"),
    SseTransport: httpTransport("sse"),
    Argument: { anyOf: [ref("PositionalArgument"), ref("NamedArgument")] },
    PositionalArgument: extended("InputWithVariables", {
      ...argumentOf("positional", { valueHint: text }),
      anyOf: [{ required: ["valueHint"] }, { required: ["value"] }],
    }),
    NamedArgument: extended("InputWithVariables", argumentOf("named", { name: text }, "name")),
    Input: object({
      description: text,
      format: oneOf("string", "number", "boolean", "filepath"),
      value: text,
      default: text,
      placeholder: text,
      choices: list(text),
      isRequired: flag,
      isSecret: flag,
    }),
    InputWithVariables: extended("Input", object({ variables: mapOf(ref("Input")) })),
    KeyValueInput: extended("InputWithVariables", object({ name: text }, "name")),
  },
};
