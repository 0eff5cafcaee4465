import words from '../../words/en/requests.json';
import { addWords } from '../../words/index.ts';

addWords({ requests: words });
