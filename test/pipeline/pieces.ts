/** Pieces that mean something in one of the formats, so that not all that is made up of them is prose. */

const html =
  '<p> </p> <b > <table><tr> <th> <td> </td> </tr> <dt> <dd> <li> <br> <h1> <!-- --> <script> </script> <sup> &amp; ' +
  '&#x1F600; &shy; & = "';
const markdown = "]( [ ] ![ ( ) * ** _ ` ``` # > - 1. | |---| --- === \\ ~~ '";
const others = '{ } {"a": "b\\u00e9\\n" , : ; 。 … . ! ? Dr. No. 5 1990 Acme has Staff The 😀 \ud800 \u0000 é \u00ad';

export const types = ['txt', 'md', 'html', 'json', 'csv'];
export const pieces = [
  ...`${html} ${markdown} ${others}`.split(' '),
  ...[' ', '  ', '\t', '\n', '\r\n', '\n\n', '\u00a0', '# ', '> ', '- ', '1. ', ': ', '. ', '! ', '? '],
];
