import words from '../../words/en/account.json';
import { addWords } from '../../words/index.ts';

addWords({ account: words });
