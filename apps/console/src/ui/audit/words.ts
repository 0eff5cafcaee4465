import auditActs from '../../words/en/auditActs.json';
import { addWords } from '../../words/index.ts';

addWords({ auditActs });
