/** Params with an optional `_meta`: the runtime adds its required members. */
export type ParamsInput<Params> = { [Key in keyof Params as Key extends "_meta" ? never : Key]: Params[Key] } & {
  _meta?: object;
};
