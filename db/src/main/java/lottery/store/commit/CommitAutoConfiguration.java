package lottery.store.commit;

import javax.sql.DataSource;
import lottery.store.connection.DurabilityStartCheck;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogTail;
import lottery.store.log.LogVersion;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures what writes to the log. */
@AutoConfiguration(
        after = JdbcClientAutoConfiguration.class,
        beforeName = "lottery.store.log.EventLogAutoConfiguration")
class CommitAutoConfiguration {

    @Bean(initMethod = "check")
    DurabilityStartCheck durabilityCheck(
            JdbcClient database, @Value("${lottery.postgres.unsafe:false}") boolean wanted) {
        return new DurabilityStartCheck(database, wanted);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    Committer committer(DataSource database, LogVersion version, LogTail tail, LogDivergenceGuard divergenceGuard) {
        return new Committer(
                () -> LogWriter.open(database, version),
                CommitterTimeSource.SYSTEM,
                tail,
                divergenceGuard,
                CommitterLimits.DEFAULT);
    }

    @Bean
    UnitOfWorkAppender eventAppender(Committer committer) {
        return new UnitOfWorkAppender(committer);
    }

    @Bean
    UniqueKeyClaims claims(UnitOfWorkAppender appender, JdbcClient database) {
        return new UniqueKeyClaims(appender, database);
    }

    @Bean
    NamedNumberSeries numberSeries(UnitOfWorkAppender appender, JdbcClient database) {
        return new NamedNumberSeries(appender, database);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    LimitedCounters counters(UnitOfWorkAppender appender, JdbcClient database) {
        return new LimitedCounters(appender, database);
    }
}
