/** The one shape of every error: the members of RFC 9457, a stable code, and the request's id. */
import { Type } from '@sinclair/typebox';

export const Problem = Type.Object(
  {
    type: Type.String({
      description: 'A name for this kind of error',
      examples: ['urn:docket:error:validation_failed'],
    }),
    title: Type.String({ examples: ['The request does not fit the contract'] }),
    status: Type.Integer({ examples: [400] }),
    detail: Type.String({
      description: 'What happened here, and what to do next',
      examples: ['body/name is required'],
    }),
    code: Type.String({ description: 'Stable: program against this', examples: ['validation_failed'] }),
    request_id: Type.String({ description: 'The same as the header X-Request-Id' }),
    retry_after: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Seconds to wait, in the last line of an answer; else Retry-After says it',
        examples: [60],
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({ examples: ['body/name'] }),
            message: Type.String({ examples: ['is required'] }),
          },
          { title: 'FieldError' },
        ),
      ),
    ),
  },
  { title: 'Problem', description: 'An error' },
);
