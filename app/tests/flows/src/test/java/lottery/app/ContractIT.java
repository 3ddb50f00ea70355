package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpMethod;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the REST contract with the approved one. Other programs are written against it, so a change is a decision:
 * {@code -Dapprove=true} makes it.
 */
@DisplayName("The REST contract")
@Order(2)
class ContractIT {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    @Test
    @DisplayName("The REST contract is the one that was approved")
    void asApproved() throws Exception {
        LotteryProcess lottery = TokenLottery.lottery();
        String operator = "Bearer " + TokenLottery.token("olga", "operator");
        Reply reply = lottery.ask(HttpMethod.GET, "/v3/api-docs", null, "Authorization", operator);
        assertThat(reply.status()).as(lottery.output()).isEqualTo(200);
        String contract = reply.text();
        // The address that was asked is no part of the contract.
        ObjectNode document = (ObjectNode) JSON.readTree(contract);
        document.remove("servers");
        String text = JSON.writeValueAsString(JSON.treeToValue(document, Object.class)) + "\n";
        if (Boolean.getBoolean("approve")) {
            Files.writeString(CommittedContract.FILE, text);
        }
        assertThat(text).isEqualTo(Files.readString(CommittedContract.FILE));
    }
}
