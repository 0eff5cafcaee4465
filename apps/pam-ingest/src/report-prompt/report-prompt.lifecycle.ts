import { ReportBatchRepository } from '@gatehouse/pam-store';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

@Injectable()
export class ReportPromptLifecycle implements OnApplicationShutdown {
  constructor(private readonly reports: ReportBatchRepository) {}

  onApplicationShutdown(): void {
    this.reports.close();
  }
}
