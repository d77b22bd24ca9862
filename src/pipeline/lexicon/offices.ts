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

/** Roles that one bears at a time. */
export const ROLES = wordSet(`
capital president ceo cfo cto coo chairman chairwoman chairperson chair mayor governor king queen emperor captain manager lead head
director author winner name owner leader editor principal headteacher minister secretary chancellor commander coach champion
founder creator inventor composer host headquarters birthplace mother father wife husband spouse successor predecessor
currency motto anthem language author sponsor publisher manufacturer landlord tenant supplier vendor custodian administrator
highest lowest largest smallest longest shortest oldest youngest tallest biggest fastest deadliest last first only sole
network color colour location venue stadium job occupation`);
