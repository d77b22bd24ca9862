/** What only one can be at a time: offices, and other roles that a thing has once. */
import { wordSet } from './word-set.ts';

/** Those on one line are the same. */
export const OFFICES = `
chief executive officer|chief executive|ceo
chief financial officer|finance chief|cfo
chief operating officer|coo
chief technology officer|cto
managing director
general manager
director general|director-general
secretary general|secretary-general
prime minister
head coach
chairman|chairwoman|chairperson|chair
editor-in-chief|editor in chief
president
mayor
governor
chancellor
captain
manager
director
principal|headteacher|headmaster|headmistress
dean
rector
treasurer
landlord
monarch|king|queen
capital|capital city
headquarters|head office
leader|head`;

/** Roles that one bears at a time: the offices that are one word, and more. */
export const ROLES = new Set([
  ...OFFICES.split(/[|\n]/).filter((office) => /^[a-z]+$/.test(office)),
  ...wordSet(`
emperor lead author winner name owner editor minister secretary commander coach champion founder creator inventor composer host
birthplace mother father wife husband spouse successor predecessor currency motto anthem language sponsor publisher manufacturer
tenant supplier vendor custodian administrator
highest lowest largest smallest longest shortest oldest youngest tallest biggest fastest deadliest last first only sole
network color colour location venue stadium job occupation`),
]);
