package lottery.fulfilment.code;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.store.vault.SealedColumn;
import lottery.store.vault.SecretCipher;

/** The columns that have codes, and the keys of their hashes. */
public final class CodeColumns {

    private CodeColumns() {}

    /** Returns all columns that this vault has sealed for codes. */
    public static List<SealedColumn> sealedWith(SecretCipher vault, SecureRandom random) {
        return List.of(
                new SealedColumn(
                        "code_pool",
                        List.of("activity_id", "award_id"),
                        "hash_key",
                        null,
                        (row, _) -> poolIn(row).text(),
                        vault,
                        random),
                new SealedColumn(
                        "pool_code",
                        List.of("code_id"),
                        "sealed",
                        null,
                        (row, _) -> CodeCipher.nameOf(poolIn(row), row.getString("hash")),
                        vault,
                        random));
    }

    static CodePoolId poolIn(ResultSet row) throws SQLException {
        return new CodePoolId(new ActivityId(row.getLong("activity_id")), row.getInt("award_id"));
    }
}
