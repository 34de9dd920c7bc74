"""Report section on raters of finished records: their agreement with the record, with each other and over seeds."""
