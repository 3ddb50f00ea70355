package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

@DisplayName("The REST contract in the jar")
@Order(2)
class ContractIT {

    private static Reply read(String... headers) {
        return TokenLottery.lottery().ask(HttpMethod.GET, "/v3/api-docs", null, headers);
    }

    @Test
    @DisplayName("Operators get the contract that was approved, and get it again only if it has changed")
    void asApproved() throws Exception {
        String operator = "Bearer " + TokenLottery.token("olga", "operator");
        Reply reply = read(HttpHeaders.AUTHORIZATION, operator);
        assertThat(reply.status()).as(TokenLottery.lottery().output()).isEqualTo(200);
        assertThat(reply.headers().getFirst(HttpHeaders.CONTENT_TYPE)).isEqualTo("application/json");
        assertThat(reply.text()).isEqualTo(Files.readString(CommittedContract.FILE));
        String tag = String.valueOf(reply.headers().getETag());
        assertThat(read(HttpHeaders.AUTHORIZATION, operator, HttpHeaders.IF_NONE_MATCH, tag)
                        .status())
                .isEqualTo(304);
    }
}
