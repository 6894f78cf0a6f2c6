//! Tokens, and that nothing shows their secret.

use striatum_contract::refusal::Refusal;
use striatum_contract::token::{Token, TokenProblem};

const SECRET: &str = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE";

#[test]
fn a_token_is_a_client_id_and_a_secret() {
    let token = Token::parse(&format!("client_00000000000000a1.{SECRET}")).expect("a token");
    assert_eq!(token.client_id(), "client_00000000000000a1");
    assert_eq!(token.secret(), SECRET);
    assert_eq!(token.reveal(), format!("client_00000000000000a1.{SECRET}"));
}

#[test]
fn showing_a_token_does_not_show_its_secret() {
    let token = Token::parse(&format!("client_00000000000000a1.{SECRET}")).expect("a token");
    assert_eq!(token.to_string(), "client_00000000000000a1.***");
    assert_eq!(format!("{token:?}"), "Token(client_00000000000000a1.***)");
    assert_eq!(format!("{:#?}", Some(token)), "Some(\n    Token(client_00000000000000a1.***),\n)");
}

#[test]
fn what_is_no_token_is_said_without_repeating_it() {
    let with = |secret: &str| format!("client_1.{secret}");
    for (text, problem) in [
        (String::new(), TokenProblem::NoPoint),
        (SECRET.to_owned(), TokenProblem::NoPoint),
        (format!(".{SECRET}"), TokenProblem::ClientId),
        (format!("client-1.{SECRET}"), TokenProblem::ClientId),
        (format!("{}.{SECRET}", "c".repeat(65)), TokenProblem::ClientId),
        (with(""), TokenProblem::SecretLength(0)),
        (with(&SECRET[1..]), TokenProblem::SecretLength(42)),
        (with(&format!("{SECRET}\n")), TokenProblem::SecretLength(44)),
        (with(&format!("{SECRET}.{SECRET}")), TokenProblem::SecretLength(87)),
        (with(&SECRET.replace('-', "+")), TokenProblem::SecretCharacter(37)),
        (with(&SECRET.replace("-_", "é")), TokenProblem::SecretCharacter(37)),
    ] {
        assert_eq!(Token::parse(&text), Err(problem), "{text:?}");
    }
    let refusal = Refusal::from(TokenProblem::SecretLength(42));
    assert_eq!(refusal.code, "token_malformed");
    assert_eq!(refusal.message, "the capability token has a secret of 42 octets instead of 43");
    assert_eq!(refusal.exit_code(), 13);
}
