import { describing, type Json, operation } from "./descriptions.js";

const json = (schema: Json): Json => ({ content: { "application/json": { schema } } });
const pet = { $ref: "#/components/schemas/Pet" };
const text = { type: "string" };

/** More levels than TypeScript derives the types of zod schemas for: 30 inline, and 30 of schemas with names. */
const levels = Array.from({ length: 30 }, (_, level) => level);
const objectOf = (inner: Json): Json => ({ type: "object", properties: { inner } });
const inline = levels.reduce<Json>(
  (inner, level) => (level % 2 ? { type: "array", items: inner } : objectOf(inner)),
  text,
);
const named = Object.fromEntries(
  levels.map((level) => [
    `Level${level}`,
    objectOf(level === 29 ? text : { $ref: `#/components/schemas/Level${level + 1}` }),
  ]),
);
const level0 = { $ref: "#/components/schemas/Level0" };

/** An API with each kind of parameter, body, result and credential. */
export const pets: Json = describing(
  {
    "/pets": {
      get: {
        operationId: "listPets",
        tags: ["pets"],
        summary: "List pets",
        parameters: [
          { name: "tags", in: "query", explode: false, schema: { type: "array", items: text } },
          { name: "kinds", in: "query", schema: { type: "array", items: { enum: ["cat", "dog"] } } },
          {
            name: "filter",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { age: { type: "integer" }, of: { type: "array", items: text } } },
          },
          {
            name: "where",
            in: "query",
            content: { "application/json": { schema: { type: "object", properties: { a: { type: "boolean" } } } } },
          },
          { name: "size", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 30 } },
          { name: "cursor", in: "query", schema: text },
          { name: "X-Trace", in: "header", schema: { type: "array", items: { type: "integer" } } },
          { name: "session", in: "cookie", schema: text },
        ],
        responses: {
          "200": {
            description: "",
            ...json({
              type: "object",
              required: ["items"],
              properties: { items: { type: "array", items: pet }, next_cursor: { type: ["string", "null"] } },
            }),
          },
        },
      },
      post: {
        operationId: "createPet",
        tags: ["pets"],
        security: [{ key: [], login: [] }, { service: ["write"] }],
        requestBody: { required: true, ...json(pet) },
        responses: { "201": { description: "", ...json(pet) } },
      },
    },
    "/pets/{petId}/{list}": {
      parameters: [
        { name: "petId", in: "path", required: true, schema: { type: "integer" } },
        {
          name: "list",
          in: "path",
          required: true,
          style: "label",
          explode: true,
          schema: { type: "array", items: text },
        },
      ],
      delete: { operationId: "deletePet", tags: ["pets"], responses: { "204": { description: "" } } },
      put: operation({
        operationId: "setForm",
        tags: ["forms"],
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                required: ["a"],
                properties: { a: text, b: { type: "array", items: { type: "integer" } } },
              },
            },
          },
        },
      }),
    },
    "/photos": {
      post: operation({
        operationId: "upload",
        tags: ["forms"],
        security: [{ token: [] }],
        requestBody: {
          required: true,
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                required: ["file"],
                properties: {
                  file: { type: "string", contentMediaType: "image/png" },
                  note: text,
                  about: { type: "object", properties: { a: { type: "integer" } } },
                },
              },
            },
          },
        },
      }),
      put: {
        operationId: "setText",
        tags: ["forms"],
        requestBody: { content: { "text/plain": {} } },
        responses: { "200": { description: "", content: { "text/plain": { schema: text } } } },
      },
      patch: {
        operationId: "setBytes",
        tags: ["forms"],
        requestBody: { required: true, content: { "application/octet-stream": {} } },
        responses: { "200": { description: "", content: { "image/png": {} } } },
      },
      delete: {
        operationId: "dig",
        tags: ["deep"],
        requestBody: json({ type: "object", properties: { inline, named: level0 } }),
        responses: { "200": { description: "", ...json({ type: "object", properties: { inline, named: level0 } }) } },
      },
      get: {
        operationId: "listPhotos",
        tags: ["forms"],
        responses: { "200": { description: "", ...json({ type: "array", items: text }) } },
      },
    },
  },
  {
    security: [{ key: [] }],
    components: {
      schemas: {
        ...named,
        Pet: {
          type: "object",
          required: ["id", "name"],
          properties: {
            id: { type: "integer", readOnly: true },
            name: text,
            parent: pet,
            owner: { $ref: "#/components/schemas/Owner" },
          },
        },
        Owner: {
          oneOf: [
            { type: "object", required: ["email"], properties: { email: { type: "string", format: "email" } } },
            { type: "null" },
          ],
        },
      },
      securitySchemes: {
        key: { type: "apiKey", in: "query", name: "api_key" },
        token: { type: "http", scheme: "bearer" },
        login: { type: "http", scheme: "basic" },
        service: {
          type: "oauth2",
          flows: { clientCredentials: { tokenUrl: "https://auth.example.com/token", scopes: { write: "" } } },
        },
      },
    },
  },
);
