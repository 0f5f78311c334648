// A gait as a document: its file, and its name.
import { fromJsonString, toJson } from '@bufbuild/protobuf';
import { type Gait, GaitSchema } from '../../gen/promenade/v1/gait_pb';

export function with_name(gait: Gait, name: string, title: string): Gait {
  return { ...gait, name, title };
}

/** The text of a file of the server's format, promenade.v1.Gait. */
export function print_gait(gait: Gait): string {
  return `${JSON.stringify(toJson(GaitSchema, gait, { useProtoFieldName: true }), null, 2)}\n`;
}

/** Reads a gait's file. Throws an Error that says what is wrong with the text. */
export function parse_gait(text: string): Gait {
  return fromJsonString(GaitSchema, text);
}
