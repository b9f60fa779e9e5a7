import type { Schema } from "./schema-table.js";

/** What a project needs to know about an API. Schemas refer to those of a table. */
export interface ApiModel {
  readonly title: string;
  readonly description: string | undefined;
  /** Undefined if the description names no absolute URL. */
  readonly url: string | undefined;
  readonly schemes: readonly SecurityScheme[];
  readonly operations: readonly Operation[];
}

export type ParameterPlace = "path" | "query" | "header" | "cookie";

export interface Parameter {
  /** The name of the tool's argument. */
  readonly argument: string;
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Schema;
  /** Only what differs from the default of the place. */
  readonly style: ParameterStyle | undefined;
}

export interface ParameterStyle {
  readonly style?: string;
  readonly explode?: boolean;
  readonly json?: true;
  readonly allowReserved?: true;
}

export interface RequestBody {
  readonly argument: string;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly kind: "json" | "form" | "multipart" | "text" | "base64";
  readonly type: string;
  readonly schema: Schema;
  /** Names of the members that contain files, of a multipart body. */
  readonly files: readonly string[];
  readonly styles: Readonly<Record<string, ParameterStyle>>;
}

/** The response that a successful call returns. */
export interface SuccessResponse {
  readonly status: number;
  /** The media type; undefined without a body. */
  readonly type: string | undefined;
  readonly schema: Schema;
  /** Whether each success returns a JSON object of this schema. */
  readonly isStructured: boolean;
}

export type NextPage =
  | { readonly kind: "member"; readonly member: readonly string[]; readonly parameter?: string }
  | { readonly kind: "last id"; readonly list: string; readonly more: string; readonly parameter: string };

export interface Operation {
  readonly tool: string;
  readonly method: string;
  readonly path: string;
  readonly title: string | undefined;
  readonly description: string;
  /** The group whose file contains the tool. */
  readonly group: string;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly response: SuccessResponse;
  /** Names of schemes, as in `SecurityScheme.name`. */
  readonly security: readonly (readonly string[])[];
  readonly url: string | undefined;
  readonly nextPage: NextPage | undefined;
  /** Where the operation is in the description. */
  readonly pointer: string;
}

export interface SecurityScheme {
  readonly name: string;
  readonly description: string | undefined;
  readonly credentials:
    | {
        readonly kind: "apiKey";
        readonly in: "header" | "query" | "cookie";
        readonly name: string;
        readonly variable: string;
      }
    | { readonly kind: "bearer"; readonly variable: string }
    | { readonly kind: "basic"; readonly user: string; readonly password: string }
    | {
        readonly kind: "clientCredentials";
        readonly id: string;
        readonly secret: string;
        readonly tokenUrl: string;
        readonly scopes: readonly string[];
      };
}
