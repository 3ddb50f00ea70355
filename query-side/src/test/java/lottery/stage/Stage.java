package lottery.stage;

import java.security.SecureRandom;
import java.util.Map;
import java.util.OptionalInt;
import javax.sql.DataSource;
import lottery.api.EventNames;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.UserShard;
import lottery.store.EventTypes;
import lottery.store.log.ShardRule;
import lottery.store.vault.PersonVaultConfiguration;
import lottery.view.QuerySideConfiguration;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

@SpringBootConfiguration
@EnableAutoConfiguration
@Import({QuerySideConfiguration.class, Stage.RefusalAdvice.class, PersonVaultConfiguration.class})
class Stage {

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(EventNames.all(), EventNames::revisionOf);
    }

    @Bean
    ShardRule shardRule() {
        return new ShardRule() {
            @Override
            public OptionalInt ofAggregate(String id) {
                return UserShard.ofAggregate(id);
            }

            @Override
            public OptionalInt ofPerson(String person) {
                return OptionalInt.of(UserShard.of(new UserId(person)).number());
            }
        };
    }

    @Bean
    static StageStatements statements() {
        return new StageStatements();
    }

    @Bean
    StageClock clock() {
        return new StageClock();
    }

    @Bean(destroyMethod = "close")
    PatientRedis patientRedis(LettuceConnectionFactory usual) {
        return new PatientRedis(usual);
    }

    @Bean
    SecureRandom random() {
        return new SecureRandom();
    }

    @Bean
    Script script(EventStore events, EventProcessingConfiguration processors, JdbcClient sql) {
        return new Script(events, processors, sql);
    }

    @Bean
    JdbcClient sql(DataSource dataSource) {
        return JdbcClient.create(dataSource);
    }

    /** Replaces the problem documents, which are in another module. */
    @RestControllerAdvice
    static class RefusalAdvice {

        @ExceptionHandler
        ResponseEntity<Map<String, Object>> refused(RefusedException exception) {
            HttpStatus status = switch (exception.refused().why()) {
                case INVALID -> HttpStatus.BAD_REQUEST;
                case NOT_FOUND -> HttpStatus.NOT_FOUND;
                case BUSY, NOT_READY -> HttpStatus.SERVICE_UNAVAILABLE;
                default -> HttpStatus.CONFLICT;
            };
            return ResponseEntity.status(status)
                    .body(Map.of(
                            "why", exception.refused().why(),
                            "subject", exception.refused().subject()));
        }
    }
}
