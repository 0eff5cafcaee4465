import sessions from '../../words/en/sessions.json';
import { addWords } from '../../words/index.ts';

addWords({ sessions });
