//! Images: decoded by models that see, refused by the others.

use super::{ask, content, lines, post, quick};
use crate::ServedModel;
use serde_json::{Value, json};

/// A question with these images.
fn look(model: &str, images: Value) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": "look", "images": images}]})
}

#[tokio::test]
async fn a_model_that_sees_tells_how_many_images_it_got_and_their_bytes() {
    let stand_in = quick();
    stand_in.set_models(ServedModel::seeing());
    for model in ["tinyeyes", "tinyeyesn"] {
        for (images, said) in [
            (json!([]), "I got no image."),
            (json!(["aGk="]), "I got 1 image of 2 bytes."),
            (json!(["aGk=", "aGkh"]), "I got 2 images of 2, 3 bytes."),
            (json!(["aG\r\nk="]), "I got 1 image of 2 bytes."),
        ] {
            let answer = lines(&stand_in, &look(model, images)).await;
            assert_eq!(content(&answer), said, "{model}");
        }
        let mut both = look(model, json!(["aGk="]));
        let again = both["messages"][0].clone();
        let messages = both["messages"].as_array_mut().unwrap();
        messages.extend([json!({"role": "assistant", "content": "yes"}), again]);
        let answer = lines(&stand_in, &both).await;
        assert_eq!(content(&answer), "I got 2 images of 2, 2 bytes.");
    }
    let shown = post(&stand_in, "/api/show", &json!({"model": "tinyeyes"})).await;
    let shown: Value = serde_json::from_str(&shown.1).unwrap();
    assert_eq!(shown["capabilities"], json!(["completion", "vision"]));
}

#[tokio::test]
async fn the_others_refuse_them_each_path_in_its_own_words() {
    let stand_in = quick();
    for (model, status, says) in [
        ("tiny", 400, "Multimodal data provided"),
        ("tinynotmpl", 500, "image input is not supported"),
    ] {
        let (got, text) = post(&stand_in, "/api/chat", &look(model, json!(["aGk="]))).await;
        assert_eq!(got, status, "{text}");
        assert!(text.contains(says), "{text}");
    }
    for (image, at) in [("data:image/png;base64,aGk=", 4), ("aGk", 3), ("a-k=", 1)] {
        let (status, text) = post(&stand_in, "/api/chat", &look("tiny", json!([image]))).await;
        assert_eq!(status, 400);
        let expected = format!("illegal base64 data at input byte {at}");
        assert!(text.contains(&expected), "{text}");
    }
    let (status, _) = post(&stand_in, "/api/chat", &ask("tiny", "x", &json!({}))).await;
    assert_eq!(status, 200);
}
