import words from '../../words/en/contacts.json';
import { addWords } from '../../words/index.ts';

addWords({ contacts: words });
