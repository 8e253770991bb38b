const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./ask-DjBTBKjX.js","./rolldown-runtime-XKyaHtl9.js","./generated-Mf6MV06D.js","./generated-D5ciptPB.css","./useTextField-DQN7Vi5e.js","./routes-CV7twoVX.js","./main-DKDssKdL.js","./main-9ZPdf26k.css","./useListState-udRn4Kmx.js","./routes-DNkbc0p9.css","./difference-cx3GCpjH.js","./comment-form-DpThpjlQ.js"])))=>i.map(i=>d[i]);
import{r as e}from"./rolldown-runtime-XKyaHtl9.js";import{$ as t,B as n,C as r,F as i,G as a,L as o,O as s,S as c,W as l,_ as u,a as d,c as f,d as p,fr as m,g as h,h as g,i as _,k as v,l as y,m as b,n as x,p as S,qn as C,r as w,s as T,t as E,u as D,x as O}from"./generated-Mf6MV06D.js";import{_ as k,a as A,d as j,f as M,h as N,m as ee,n as te,o as ne,r as re}from"./main-DKDssKdL.js";import{a as P,i as F,l as I,n as L}from"./routes-CV7twoVX.js";import{n as R,t as ie}from"./comment-form-DpThpjlQ.js";var z={name:`circle-dashed`,size:24,node:[[`path`,{d:`M10.1 2.182a10 10 0 0 1 3.8 0`,key:`5ilxe3`}],[`path`,{d:`M13.9 21.818a10 10 0 0 1-3.8 0`,key:`11zvb9`}],[`path`,{d:`M17.609 3.721a10 10 0 0 1 2.69 2.7`,key:`1iw5b2`}],[`path`,{d:`M2.182 13.9a10 10 0 0 1 0-3.8`,key:`c0bmvh`}],[`path`,{d:`M20.279 17.609a10 10 0 0 1-2.7 2.69`,key:`1ruxm7`}],[`path`,{d:`M21.818 10.1a10 10 0 0 1 0 3.8`,key:`qkgqxc`}],[`path`,{d:`M3.721 6.391a10 10 0 0 1 2.7-2.69`,key:`1mcia2`}],[`path`,{d:`M6.391 20.279a10 10 0 0 1-2.69-2.7`,key:`1fvljs`}]]};z.node;var ae=u(z),B={name:`circle-question-mark`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5`,key:`1awbb0`}],[`path`,{d:`M12 17h.01`,key:`p32p05`}]],aliases:[`help-circle`,`circle-help`]};B.node;var oe=u(B),V={name:`circle-x`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`m15 9-6 6`,key:`1uzhvr`}],[`path`,{d:`m9 9 6 6`,key:`z0biqf`}]],aliases:[`x-circle`]};V.node;var se=u(V),H={name:`clock`,size:24,node:[[`circle`,{cx:`12`,cy:`12`,r:`10`,key:`1mglay`}],[`path`,{d:`M12 6v6l4 2`,key:`mmk7yg`}]]};H.node;var ce=u(H),U={name:`face-slightly-smiling-plus`,size:24,node:[[`path`,{d:`M13.267 2.08a10 10 0 108.653 8.653`,key:`1wbpyh`}],[`path`,{d:`M15 10V9`,key:`4dkmfx`}],[`path`,{d:`M16 5h6`,key:`1vod17`}],[`path`,{d:`M16.472 15a6 6 0 01-8.943 0`,key:`7qomzy`}],[`path`,{d:`M19 2v6`,key:`4bpg5p`}],[`path`,{d:`M9 10V9`,key:`1lazqi`}]],aliases:[`smile-plus`]};U.node;var le=u(U),W={name:`pencil`,size:24,node:[[`path`,{d:`M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z`,key:`1a8usu`}],[`path`,{d:`m15 5 4 4`,key:`1mk7zo`}]]};W.node;var ue=u(W),G=e(m(),1),K=r();E(`
  fragment Reactions on Reactable {
    __typename
    id
    reactions { emoji count users { user { id displayName } } }
  }
`),E(`
  fragment CommentThread on Comment {
    ...Reactions
    postedAt
    editedAt
    postedBy { id displayName }
    body { document }
    status
    permissions { reply react resolve edit delete }
    target { page { pageId title path outdated } node { nodeId preview } reviewId }
    replyCount
  }
`),E(`
  fragment ReplyRow on CommentReply {
    ...Reactions
    postedAt
    postedBy { id displayName }
    body { document }
    permissions { delete }
  }
`);var de=E(`
  query Replies($comment: ID!, $after: String) {
    node(id: $comment) {
      __typename
      id
      ... on Comment {
        replies(first: 40, after: $after) { nodes { ...ReplyRow } pageInfo { hasNextPage endCursor } }
      }
    }
  }
`),fe=E(`
  mutation ReplyToComment($space: ID!, $change: ID, $comment: ID!, $input: PostCommentReplyInput!) {
    replyToComment(spaceId: $space, changeRequestId: $change, commentId: $comment, input: $input) { id }
  }
`),pe=E(`
  mutation ResolveComment($space: ID!, $change: ID, $id: ID!, $input: UpdateCommentInput!) {
    updateComment(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id status }
  }
`),me=E(`
  mutation DeleteComment($space: ID!, $change: ID, $id: ID!) {
    deleteComment(spaceId: $space, changeRequestId: $change, id: $id) { deletedId }
  }
`),he=E(`
  mutation DeleteCommentReply($space: ID!, $change: ID, $comment: ID!, $id: ID!) {
    deleteCommentReply(spaceId: $space, changeRequestId: $change, commentId: $comment, id: $id) { deletedId }
  }
`),ge=E(`
  mutation AddReaction($subject: ID!, $input: ReactionInput!) {
    addReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`),_e=E(`
  mutation RemoveReaction($subject: ID!, $input: ReactionInput!) {
    removeReaction(subjectId: $subject, input: $input) { subject { ...Reactions } }
  }
`),ve=[`1f44d`,`1f389`,`2764`,`1f680`,`1f440`,`1f914`],q=e=>e.document.nodes??[];function J({subject:e,allowed:n}){let r=O(),i=j(),[o,s]=C(ge),[c,u]=C(_e),[p,m]=(0,G.useState)(null),h=t=>p?.emoji===t?p.mine:e.reactions.some(e=>e.emoji===t&&e.users.some(({user:e})=>e.id===i.id)),_=t=>{let n=e.reactions.find(e=>e.emoji===t),r=n?.users.some(({user:e})=>e.id===i.id)??!1;return(n?.count??0)+(h(t)===r?0:r?-1:1)},v=async t=>{let n=!h(t);m({emoji:t,mine:n}),await(n?s:u)({subject:e.id,input:{emoji:t}}),m(null)},y=[...new Set([...e.reactions.map(e=>e.emoji),...p?[p.emoji]:[]])].filter(e=>_(e)>0);return y.length===0&&!n?null:(0,K.jsxs)(K.Fragment,{children:[(0,K.jsxs)(`div`,{className:L.reactions,children:[y.map(t=>{let r=e.reactions.find(e=>e.emoji===t)?.users.map(({user:e})=>e.displayName)??[];return(0,K.jsxs)(`button`,{type:`button`,className:L.reaction,"aria-pressed":h(t),disabled:!n||p!==null,title:r.join(`, `),onClick:()=>void v(t),children:[M(t),` `,_(t)]},t)}),n?(0,K.jsxs)(l,{children:[(0,K.jsx)(f,{look:`icon`,"aria-label":r.addReaction,children:(0,K.jsx)(le,{size:17,"aria-hidden":!0})}),(0,K.jsx)(t,{className:g.popover??``,children:(0,K.jsx)(a,{className:L.emojis??``,"aria-label":r.addReaction,children:({close:e})=>(0,K.jsx)(K.Fragment,{children:ve.map(t=>(0,K.jsx)(`button`,{type:`button`,"aria-label":r.emojis[t]??t,onClick:()=>{e(),h(t)||v(t)},children:M(t)},t))})})})]}):null]}),(0,K.jsx)(d,{error:o.error??c.error})]})}function ye({place:e,comment:t}){let r=O(),[i,a,o]=R(`reply ${t}`),[{fetching:s,error:c},l]=C(fe),u=async()=>{s||i.trim()===``||(await l({space:e.space,change:e.change,comment:t,input:{body:{markdown:i}}})).error||(o(i),n())};return(0,K.jsxs)(`form`,{className:L.form,onSubmit:e=>{e.preventDefault(),u()},children:[(0,K.jsxs)(`label`,{className:g.field,children:[(0,K.jsx)(`span`,{className:`hidden-text`,children:r.reply}),(0,K.jsx)(`textarea`,{className:g.input,style:{minBlockSize:`2.6rem`},placeholder:r.replyPlaceholder,rows:1,value:i,dir:`auto`,onChange:e=>a(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&u()}})]}),(0,K.jsx)(d,{error:c}),i.trim()?(0,K.jsx)(`div`,{className:g.actions,children:(0,K.jsx)(f,{type:`submit`,isDisabled:s,children:r.reply})}):null]})}function Y({place:e,comment:t,after:n}){let r=O(),[i,a]=(0,G.useState)(!1),o=_(de,{comment:t.id,after:n});return(0,K.jsx)(x,{result:o,pick:e=>e.node?.__typename===`Comment`?e.node.replies:null,children:({nodes:n,pageInfo:o})=>(0,K.jsxs)(K.Fragment,{children:[n.map(n=>(0,K.jsx)(`li`,{children:(0,K.jsx)(be,{place:e,comment:t,reply:n})},n.id)),o.hasNextPage?i?(0,K.jsx)(Y,{place:e,comment:t,after:o.endCursor}):(0,K.jsx)(`li`,{children:(0,K.jsx)(f,{look:`plain`,onPress:()=>a(!0),children:r.showMore})}):null]})})}function be({place:e,comment:t,reply:r}){let i=O(),[{fetching:a,error:o},s]=C(he),[c,l]=(0,G.useState)(!1),u=async()=>{(await s({...e,comment:t.id,id:r.id})).error||n()};return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsxs)(`div`,{className:L.replyHead,children:[(0,K.jsx)(p,{name:r.postedBy.displayName}),(0,K.jsx)(`strong`,{children:(0,K.jsx)(`bdi`,{children:r.postedBy.displayName})}),(0,K.jsx)(`span`,{className:L.about,children:(0,K.jsx)(A,{at:r.postedAt})}),r.permissions.delete?(0,K.jsx)(f,{look:`plain`,isDisabled:a,onPress:()=>c?void u():l(!0),children:c?i.deleteForGood:i.delete}):null]}),(0,K.jsx)(P,{nodes:q(r.body)}),(0,K.jsx)(J,{subject:r,allowed:t.permissions.react}),(0,K.jsx)(d,{error:o})]})}function xe({comment:e,place:t,version:r}){let a=O(),[o,s]=C(pe),[c,l]=C(me),[u,m]=(0,G.useState)(!1),h=e.status===`RESOLVED`,g=async e=>{let{error:t}=await e;t||n()},_={space:t.space,change:t.change};return(0,K.jsxs)(`article`,{className:L.comment,"aria-label":a.commentBy(e.postedBy.displayName),id:`comment-${e.id}`,children:[(0,K.jsxs)(`header`,{className:L.commentHead,children:[(0,K.jsx)(p,{name:e.postedBy.displayName}),(0,K.jsx)(`strong`,{children:(0,K.jsx)(`bdi`,{children:e.postedBy.displayName})}),(0,K.jsxs)(`span`,{className:L.about,children:[(0,K.jsx)(A,{at:e.postedAt}),e.editedAt?` · ${a.edited}`:``]}),h?(0,K.jsx)(T,{tone:`good`,children:a.resolved}):null,(0,K.jsxs)(`span`,{className:`push`,style:{marginInlineStart:`auto`,display:`flex`,gap:`0.2rem`},children:[e.permissions.resolve?(0,K.jsx)(f,{look:`plain`,isDisabled:o.fetching,onPress:()=>void g(s({..._,id:e.id,input:{resolved:!h}})),children:h?a.reopen:a.resolve}):null,e.permissions.delete?u?(0,K.jsx)(f,{look:`plain`,isDisabled:c.fetching,onPress:()=>void g(l({..._,id:e.id})),children:a.deleteForGood}):(0,K.jsx)(f,{look:`plain`,onPress:()=>m(!0),children:a.delete}):null]})]}),(0,K.jsxs)(`div`,{className:L.commentBody,children:[e.target.page?(0,K.jsxs)(`p`,{className:L.about,children:[a.about,` `,(0,K.jsx)(N,{href:i(t.space,r,e.target.page.path),children:(0,K.jsx)(`bdi`,{children:e.target.page.title})}),e.target.node?.preview?(0,K.jsxs)(K.Fragment,{children:[`: `,(0,K.jsxs)(`bdi`,{children:[`“`,e.target.node.preview,`”`]})]}):null,e.target.page.outdated?` (${a.changedSince})`:``]}):null,(0,K.jsx)(P,{nodes:q(e.body)}),(0,K.jsx)(J,{subject:e,allowed:e.permissions.react}),e.replyCount>0?(0,K.jsx)(`ul`,{className:L.replies,children:(0,K.jsx)(Y,{place:t,comment:e,after:null})}):null,(0,K.jsx)(d,{error:o.error??c.error}),e.permissions.reply&&!h?(0,K.jsx)(ye,{place:t,comment:e.id}):null]})]})}E(`
  fragment Conflict on MergeConflict {
    id
    kind
    pageId
    block
    field
    base
    ours
    theirs
  }
`);var Se=E(`
  mutation ResolveConflict($space: ID!, $change: ID!, $id: ID!, $input: ResolveConflictInput!) {
    resolveConflict(spaceId: $space, changeRequestId: $change, id: $id, input: $input) { id resolution resolvedAt }
  }
`),Ce=E(`
  query TitleOfPage($space: ID!, $page: ID!, $change: ID!) {
    page(spaceId: $space, id: $page, changeRequestId: $change) { id title }
  }
`);function X({side:e}){let t=O();if(e===null)return(0,K.jsx)(`p`,{className:L.about,children:t.notThere});if(e.object===`block`)return(0,K.jsx)(F,{nodes:[e]});if(Array.isArray(e.nodes))return(0,K.jsx)(F,{nodes:e.nodes});let n=e.value;return typeof n==`string`||typeof n==`number`?(0,K.jsx)(`p`,{dir:`auto`,children:String(n)}):(0,K.jsx)(`pre`,{tabIndex:0,style:{whiteSpace:`pre-wrap`},children:JSON.stringify(n??e,null,2)})}function we({space:e,change:t,page:n}){let r=_(Ce,{space:e,change:t,page:n});return(0,K.jsx)(`strong`,{children:(0,K.jsx)(`bdi`,{children:r.data?.page?.title??``})})}var Te=new Set([`BLOCK`,`CELL`]);function Ee({space:e,change:t,conflict:r}){let i=O(),[{fetching:a,error:o},s]=C(Se),c=async i=>{(await s({space:e,change:t,id:r.id,input:{resolution:i}})).error||n()};return(0,K.jsx)(`article`,{className:L.change,children:(0,K.jsxs)(`div`,{className:L.changeBody,children:[(0,K.jsxs)(`div`,{style:{display:`flex`,gap:`0.6rem`,alignItems:`center`,flexWrap:`wrap`},children:[r.pageId?(0,K.jsx)(we,{space:e,change:t,page:r.pageId}):null,(0,K.jsx)(T,{tone:`warn`,children:i.conflictKinds[r.kind]}),r.field?(0,K.jsx)(`code`,{children:r.field}):null]}),(0,K.jsxs)(`div`,{className:L.sides,children:[(0,K.jsxs)(`div`,{className:L.block,"data-kind":`edited`,children:[(0,K.jsx)(`h4`,{children:i.ours}),(0,K.jsx)(X,{side:r.ours})]}),(0,K.jsxs)(`div`,{className:L.block,"data-kind":`edited`,children:[(0,K.jsx)(`h4`,{children:i.theirs}),(0,K.jsx)(X,{side:r.theirs})]})]}),(0,K.jsx)(d,{error:o}),(0,K.jsxs)(`div`,{className:g.actions,children:[(0,K.jsx)(f,{isDisabled:a,onPress:()=>void c(`OURS`),children:i.takeOurs}),(0,K.jsx)(f,{isDisabled:a,onPress:()=>void c(`THEIRS`),children:i.takeTheirs}),Te.has(r.kind)?(0,K.jsx)(f,{isDisabled:a,onPress:()=>void c(`BOTH`),children:i.takeBoth}):null]})]})})}function De({space:e,change:t}){let n=O(),{nodes:r,pageInfo:i}=t.conflictsOpen;return r.length===0?(0,K.jsx)(D,{children:n.allResolved}):(0,K.jsxs)(`div`,{className:L.changes,children:[(0,K.jsx)(`p`,{children:n.conflictsAbout}),r.map(n=>(0,K.jsx)(Ee,{space:e,change:t.id,conflict:n},n.id)),i.hasNextPage?(0,K.jsx)(`p`,{className:L.about,children:n.moreConflicts}):null]})}var Z=e=>e?`met`:`unmet`;function Oe(e,t){let n=t.reviews.filter(e=>!e.outdated),r=new Set(n.filter(e=>e.status===`APPROVED`).map(e=>e.reviewer.id));switch(e.rule){case`require_at_least_one_review`:return Z(r.size>0);case`require_all_reviews_approved`:return Z(t.waiting===0&&n.every(e=>e.status===`APPROVED`));case`require_specific_reviewers`:return Z(e.userIds.every(e=>r.has(e)));case`require_one_of_specific_reviewers`:return Z(e.userIds.some(e=>r.has(e)));case`require_up_to_date_change_request`:return Z(!t.outdated);case`require_change_request_subject`:return Z(t.subject.trim()!==``);case`require_change_request_description`:return Z(t.hasDescription);default:return`unknown`}}var ke=(e,t)=>e.some(e=>e.rule===`allow_bypass`&&e.userIds.includes(t)),Ae=E(`
  query MergeRules($space: ID!) {
    space(id: $space) {
      id
      typedMergeRules { type rules { rule userIds users { id displayName } expression } }
      organization { id typedMergeRules { type rules { rule userIds users { id displayName } expression } } }
    }
  }
`),je=E(`
  mutation UpdateFromSpace($space: ID!, $id: ID!, $revision: ID) {
    pullChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id outdated } }
  }
`),Me=E(`
  mutation MergeChangeRequest($space: ID!, $id: ID!, $revision: ID) {
    mergeChangeRequest(spaceId: $space, id: $id, expectedRevision: $revision) { result changeRequest { id status outdated } }
  }
`),Ne=E(`
  mutation SetStatusOfChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id status }
  }
`),Pe={met:I,unmet:h,unknown:oe},Q={met:`var(--good)`,unmet:`var(--bad)`,unknown:`var(--ink-soft)`};function Fe(e,t){let n=j(),r=_(Ae,{space:e}),i=r.data?.space?.typedMergeRules,a=(i?.type===`inherit`?r.data?.space?.organization.typedMergeRules:i)?.rules??[],o={outdated:t.outdated,subject:t.subject,hasDescription:(t.description?.nodes?.length??0)>0,waiting:t.requestedReviewers.nodes.length,reviews:t.reviews.nodes,viewer:n.id};return{checks:a.filter(e=>e.rule!==`allow_bypass`).map(e=>({rule:e,state:Oe(e,o)})),bypass:ke(a,n.id)}}function Ie({space:e,change:t,conflicts:r}){let i=O(),{checks:a,bypass:o}=Fe(e.id,t),[c,l]=C(je),[u,p]=C(Me),[m,_]=C(Ne),[v,b]=(0,G.useState)(null),[x,w]=(0,G.useState)(null),T={space:e.id,id:t.id},E=t.status===`OPEN`||t.status===`DRAFT`,D=t.revision?.id??null,k=async()=>{let{data:e,error:t}=await l({...T,revision:D});t||(w(e?.pullChangeRequest?.result===`CONFLICTS`?i.hasConflicts:i.isUpToDate),n())},A=async()=>{let{data:e,error:t}=await p({...T,revision:v?.revision??null});t||(b(null),w(e?.mergeChangeRequest?.result===`CONFLICTS`?i.hasConflicts:null),n())},j=async e=>{let{error:t}=await _({...T,input:{status:e}});t||n()};return t.status===`MERGED`?(0,K.jsx)(S,{tone:`good`,children:(0,K.jsx)(`strong`,{children:i.isMerged})}):(0,K.jsxs)(`section`,{className:L.merge,"aria-label":i.merge,children:[t.status===`ARCHIVED`?(0,K.jsx)(`p`,{children:i.isArchived}):null,E?(0,K.jsxs)(`ul`,{className:L.checks,"aria-label":i.checks,children:[a.map(({rule:e,state:t},n)=>{let r=Pe[t],a=e.users.map(e=>e.displayName).join(`, `);return(0,K.jsxs)(`li`,{children:[(0,K.jsx)(r,{size:16,color:Q[t],role:`img`,"aria-label":i.checkStates[t]}),(0,K.jsxs)(`span`,{children:[i.rules[e.rule]??e.rule,a?(0,K.jsxs)(K.Fragment,{children:[`: `,(0,K.jsx)(`bdi`,{children:a})]}):null,e.expression?(0,K.jsxs)(K.Fragment,{children:[` `,(0,K.jsx)(`code`,{children:e.expression})]}):null]})]},n)}),(0,K.jsxs)(`li`,{children:[r===0?(0,K.jsx)(I,{size:16,color:Q.met,role:`img`,"aria-label":i.checkStates.met}):(0,K.jsx)(h,{size:16,color:Q.unmet,role:`img`,"aria-label":i.checkStates.unmet}),(0,K.jsx)(`span`,{children:r===0?i.noOpenConflicts:(0,K.jsx)(N,{href:`${s(e.id,t.number)}?tab=conflicts`,children:i.resolveConflicts(r)})})]})]}):null,o&&E?(0,K.jsx)(`p`,{className:g.hint,children:i.mayBypass}):null,t.outdated&&E?(0,K.jsx)(S,{tone:`warn`,children:i.outdatedAbout}):null,x?(0,K.jsx)(S,{tone:x===i.hasConflicts?`warn`:`good`,role:`status`,children:x}):null,(0,K.jsx)(d,{error:c.error??(v?void 0:u.error)??m.error}),(0,K.jsxs)(`div`,{style:{display:`flex`,flexWrap:`wrap`,gap:`0.5rem`},children:[E&&t.permissions.merge&&r===0?(0,K.jsx)(f,{look:`primary`,onPress:()=>b({revision:D}),children:i.merge}):null,E&&t.outdated&&t.permissions.edit?(0,K.jsx)(f,{isDisabled:c.fetching,onPress:()=>void k(),children:i.bringUpToDate}):null,t.status===`DRAFT`&&t.permissions.edit?(0,K.jsx)(f,{isDisabled:m.fetching,onPress:()=>void j(`OPEN`),children:i.openForReview}):null,t.status===`OPEN`&&t.permissions.edit?(0,K.jsx)(f,{look:`plain`,isDisabled:m.fetching,onPress:()=>void j(`DRAFT`),children:i.backToDraft}):null,E&&t.permissions.archive?(0,K.jsx)(f,{look:`plain`,isDisabled:m.fetching,onPress:()=>void j(`ARCHIVED`),children:i.archive}):null,t.status===`ARCHIVED`&&t.permissions.archive?(0,K.jsx)(f,{isDisabled:m.fetching,onPress:()=>void j(`DRAFT`),children:i.reopen}):null]}),(0,K.jsxs)(y,{title:i.mergeTitle(t.number),isOpen:v!==null,onClose:()=>b(null),children:[(0,K.jsx)(`p`,{children:i.mergeAbout(e.title)}),(0,K.jsx)(d,{error:u.error}),(0,K.jsxs)(`div`,{className:g.actions,children:[(0,K.jsx)(f,{onPress:()=>b(null),children:i.cancel}),(0,K.jsx)(f,{look:`primary`,isDisabled:u.fetching,onPress:()=>void A(),children:i.merge})]})]})]})}var Le=ee(()=>c(()=>import(`./ask-DjBTBKjX.js`),__vite__mapDeps([0,1,2,3,4,5,6,7,8,9]),import.meta.url));E(`
  fragment ReviewRow on Review {
    id
    status
    outdated
    createdAt
    reviewer { id displayName }
  }
`);var Re=E(`
  mutation SubmitReview($space: ID!, $change: ID!, $input: SubmitReviewInput!) {
    submitReview(spaceId: $space, changeRequestId: $change, input: $input) { ...ReviewRow }
  }
`),ze=E(`
  mutation WithdrawReviewRequest($space: ID!, $change: ID!, $user: ID!) {
    withdrawReviewRequest(spaceId: $space, changeRequestId: $change, userId: $user) { userId }
  }
`);function Be({space:e,change:t,isOpen:r,onClose:i}){let a=O(),[o,s,c]=R(`review ${t.id}`),[{fetching:l,error:u},p]=C(Re),m=async r=>{let a=o.trim()?{markdown:o}:null;(await p({space:e,change:t.id,input:{status:r,...a?{comment:a}:{}}})).error||(c(o),n(),i())};return(0,K.jsxs)(y,{title:a.giveReview,isOpen:r,onClose:i,children:[(0,K.jsxs)(`label`,{className:g.field,children:[(0,K.jsx)(`span`,{className:g.label,children:a.reviewComment}),(0,K.jsx)(`textarea`,{className:g.input,value:o,dir:`auto`,autoFocus:!0,onChange:e=>s(e.target.value)}),(0,K.jsx)(`span`,{className:g.hint,children:a.markdownHint})]}),(0,K.jsx)(d,{error:u}),(0,K.jsxs)(`div`,{className:g.actions,children:[(0,K.jsx)(f,{isDisabled:l,onPress:()=>void m(`CHANGES_REQUESTED`),children:a.requestChanges}),(0,K.jsx)(f,{look:`primary`,isDisabled:l,onPress:()=>void m(`APPROVED`),children:a.approve})]})]})}function Ve({space:e,change:t}){let r=O(),i=j(),[a,o]=(0,G.useState)(!1),[{fetching:s,error:c},l]=C(ze),u=t.status===`OPEN`||t.status===`DRAFT`,m=t.requestedReviewers.nodes.some(e=>e.user.id===i.id),h=u&&(t.permissions.review||m)&&t.createdBy.id!==i.id,g=async r=>{(await l({space:e,change:t.id,user:r})).error||n()};return(0,K.jsxs)(`section`,{children:[(0,K.jsx)(`h2`,{children:r.reviews}),t.reviews.nodes.length+t.requestedReviewers.nodes.length===0?(0,K.jsx)(`p`,{className:L.about,children:r.noReviews}):null,(0,K.jsxs)(`ul`,{className:L.people,children:[t.reviews.nodes.map(e=>(0,K.jsxs)(`li`,{children:[(0,K.jsx)(p,{name:e.reviewer.displayName}),(0,K.jsx)(`bdi`,{children:e.reviewer.displayName}),e.status===`APPROVED`?(0,K.jsxs)(T,{tone:e.outdated?`neutral`:`good`,children:[(0,K.jsx)(I,{size:13,"aria-hidden":!0}),r.approved]}):(0,K.jsxs)(T,{tone:e.outdated?`neutral`:`bad`,children:[(0,K.jsx)(se,{size:13,"aria-hidden":!0}),r.changesRequested]}),e.outdated?(0,K.jsxs)(T,{children:[(0,K.jsx)(ae,{size:13,"aria-hidden":!0}),r.outdatedReview]}):null,(0,K.jsx)(`span`,{className:L.about,children:(0,K.jsx)(A,{at:e.createdAt})})]},e.id)),t.requestedReviewers.nodes.map(e=>(0,K.jsxs)(`li`,{children:[(0,K.jsx)(p,{name:e.user.displayName}),(0,K.jsx)(`bdi`,{children:e.user.displayName}),(0,K.jsxs)(T,{tone:`warn`,children:[(0,K.jsx)(ce,{size:13,"aria-hidden":!0}),r.wasAsked]}),t.permissions.requestReviewers&&u?(0,K.jsx)(f,{look:`plain`,isDisabled:s,"aria-label":r.withdrawFrom(e.user.displayName),onPress:()=>void g(e.user.id),children:r.withdraw}):null]},e.user.id))]}),(0,K.jsx)(d,{error:c}),(0,K.jsxs)(`div`,{style:{display:`grid`,gap:`0.7rem`,marginBlockStart:`0.8rem`},children:[h?(0,K.jsx)(`div`,{children:(0,K.jsx)(f,{look:`primary`,onPress:()=>o(!0),children:r.giveReview})}):null,t.permissions.requestReviewers&&u?(0,K.jsx)(G.Suspense,{fallback:null,children:(0,K.jsx)(Le,{space:e,change:t})}):null]}),(0,K.jsx)(Be,{space:e,change:t,isOpen:a,onClose:()=>o(!1)})]})}var He=ee(async()=>({default:(await c(async()=>{let{ContentDifference:e}=await import(`./difference-cx3GCpjH.js`);return{ContentDifference:e}},__vite__mapDeps([10,1,2,3,6,7,5,8,9,11]),import.meta.url)).ContentDifference})),Ue=E(`
  query ChangeRequestView($space: ID!, $id: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $id) {
        id
        number
        subject
        description
        status
        outdated
        createdAt
        updatedAt
        commentsOpen
        createdBy { id displayName }
        permissions { comment edit archive requestReviewers review merge }
        revision { id landingPage { id path } }
        conflictsOpen: conflicts(first: 50, resolved: false) { nodes { ...Conflict } pageInfo { hasNextPage } }
        reviews(first: 50) { nodes { ...ReviewRow } }
        requestedReviewers(first: 50) { nodes { user { id displayName } requestedBy { id displayName } createdAt } }
      }
    }
  }
`),We=E(`
  query Conversation($space: ID!, $id: ID!, $after: String) {
    space(id: $space) {
      id
      changeRequest(id: $id) {
        id
        comments(first: 40, after: $after, status: ALL, orderBy: { field: POSTED_AT, direction: ASC }) {
          nodes { ...CommentThread }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`),Ge=E(`
  query ChangeRequestDifference($space: ID!, $id: ID!) {
    space(id: $space) {
      id
      changeRequest(id: $id) { id changes(limit: 500) { ...Changes } }
    }
  }
`),Ke=E(`
  mutation DescribeChangeRequest($space: ID!, $id: ID!, $input: UpdateChangeRequestInput!) {
    updateChangeRequest(spaceId: $space, id: $id, input: $input) { id subject description updatedAt }
  }
`);function qe(e){return{object:`document`,data:{schemaVersion:1},nodes:e.split(/\n{2,}/u).map(e=>e.trim()).filter(Boolean).map(e=>({object:`block`,type:`paragraph`,isVoid:!1,data:{},nodes:[{object:`text`,leaves:[{object:`leaf`,text:e,marks:[]}]}]}))}}var $=e=>e?.nodes??[];function Je(e){let t=$(e).map(e=>e.type!==`paragraph`||e.nodes.some(e=>e.object!==`text`||e.leaves.some(e=>e.marks.length>0))?null:e.nodes.map(e=>e.object===`text`?e.leaves.map(e=>e.text).join(``):``).join(``));return t.some(e=>e===null)?null:t.join(`

`)}function Ye({space:e,change:t,onDone:n}){let r=O(),i=Je(t.description),[a,o]=(0,G.useState)(t.subject),[s,c]=(0,G.useState)(i??``),[{fetching:l,error:u},p]=C(Ke),m=async()=>{let r=i===null||s===i?{subject:a}:{subject:a,description:qe(s)};(await p({space:e,id:t.id,input:r})).error||n()};return(0,K.jsxs)(`form`,{className:L.form,style:{maxInlineSize:`46rem`,marginBlockEnd:`1.4rem`},onSubmit:e=>{e.preventDefault(),m()},children:[(0,K.jsxs)(`label`,{className:g.field,children:[(0,K.jsx)(`span`,{className:g.label,children:r.subject}),(0,K.jsx)(`input`,{className:g.input,value:a,dir:`auto`,autoFocus:!0,onChange:e=>o(e.target.value)})]}),i===null?(0,K.jsx)(`p`,{className:g.hint,children:r.descriptionHasForm}):(0,K.jsxs)(`label`,{className:g.field,children:[(0,K.jsx)(`span`,{className:g.label,children:r.description}),(0,K.jsx)(`textarea`,{className:g.input,value:s,dir:`auto`,onChange:e=>c(e.target.value)})]}),(0,K.jsx)(d,{error:u}),(0,K.jsxs)(`div`,{className:g.actions,children:[(0,K.jsx)(f,{onPress:n,children:r.cancel}),(0,K.jsx)(f,{look:`primary`,type:`submit`,isDisabled:l,children:r.save})]})]})}function Xe({space:e,change:t,version:n,after:r}){let i=O(),[a,o]=(0,G.useState)(!1),s=_(We,{space:e.id,id:t.id,after:r}),c={space:e.id,change:t.id};return(0,K.jsx)(x,{result:s,pick:e=>e.space?.changeRequest?.comments,children:({nodes:r,pageInfo:s})=>(0,K.jsxs)(K.Fragment,{children:[r.length===0?(0,K.jsx)(D,{children:i.noComments}):(0,K.jsx)(`ul`,{className:L.thread,children:r.map(e=>(0,K.jsx)(`li`,{children:(0,K.jsx)(xe,{comment:e,place:c,version:n})},e.id))}),s.hasNextPage?a?(0,K.jsx)(Xe,{space:e,change:t,version:n,after:s.endCursor}):(0,K.jsx)(`div`,{children:(0,K.jsx)(f,{onPress:()=>o(!0),children:i.showMore})}):null]})})}function Ze({space:e,change:t,version:n}){let r=O();return(0,K.jsxs)(`section`,{"aria-label":r.conversation,style:{display:`grid`,gap:`1rem`},children:[(0,K.jsx)(Xe,{space:e,change:t,version:n,after:null}),t.permissions.comment?(0,K.jsx)(ie,{on:{space:e.id,change:t.id,page:null,node:null}}):null]})}function Qe({space:e,change:t,version:n}){let r=_(Ge,{space:e.id,id:t.id}),i={space:e.id,change:t.id};return(0,K.jsx)(x,{result:r,pick:e=>e.space?.changeRequest,children:r=>(0,K.jsx)(G.Suspense,{fallback:(0,K.jsx)(w,{}),children:(0,K.jsx)(He,{space:e.id,changes:r.changes,after:n,...t.permissions.comment?{commentOn:i}:{}})})})}var $e=[`conversation`,`changes`,`conflicts`];function et({space:e,id:t}){let n=O(),[r]=k(),[i,a]=(0,G.useState)(!1),c=_(Ue,{space:e.id,id:t}),l=c.data?.space?.changeRequest?.subject;return ne(l===void 0?null:`${l||n.withoutSubject} | ${e.title}`),(0,K.jsx)(x,{result:c,pick:e=>e.space?.changeRequest,children:t=>{let c={kind:`change`,id:t.id,number:t.number},l=t.conflictsOpen.nodes.length,u=$e.find(e=>e===r.get(`tab`))??`conversation`,d=s(e.id,t.number);return(0,K.jsxs)(K.Fragment,{children:[(0,K.jsx)(te,{title:(0,K.jsx)(`bdi`,{children:t.subject||n.withoutSubject}),crumbs:[{href:o(e.id),title:e.title},{href:v(e.id),title:n.changeRequests}],badges:(0,K.jsxs)(`p`,{style:{display:`flex`,gap:`0.6rem`,alignItems:`center`,flexWrap:`wrap`},children:[(0,K.jsx)(re,{status:t.status}),t.outdated&&t.status!==`MERGED`?(0,K.jsx)(T,{tone:`warn`,children:n.outdated}):null,(0,K.jsxs)(`span`,{className:L.about,children:[`#`,t.number,` · `,(0,K.jsx)(`bdi`,{children:t.createdBy.displayName}),` · `,(0,K.jsx)(A,{at:t.createdAt})]}),t.permissions.edit&&t.status!==`MERGED`&&!i?(0,K.jsxs)(f,{look:`plain`,onPress:()=>a(!0),children:[(0,K.jsx)(ue,{size:15,"aria-hidden":!0}),n.describe]}):null,t.revision?.landingPage?(0,K.jsx)(N,{className:b(`normal`),href:`${d}/${t.revision.landingPage.path}`,children:n.readPages}):null]})}),i?(0,K.jsx)(Ye,{space:e.id,change:t,onDone:()=>a(!1)}):$(t.description).length>0?(0,K.jsx)(`div`,{style:{marginBlockEnd:`1.4rem`},children:(0,K.jsx)(P,{nodes:$(t.description)})}):null,(0,K.jsxs)(`nav`,{className:L.tabs,"aria-label":n.partsOfChange,children:[(0,K.jsx)(N,{href:d,"aria-current":u===`conversation`?`page`:void 0,children:n.conversation}),(0,K.jsx)(N,{href:`${d}?tab=changes`,"aria-current":u===`changes`?`page`:void 0,children:n.changes}),l>0||u===`conflicts`?(0,K.jsxs)(N,{href:`${d}?tab=conflicts`,"aria-current":u===`conflicts`?`page`:void 0,children:[n.conflicts,` `,l>0?`(${l})`:``]}):null]}),u===`changes`?(0,K.jsx)(Qe,{space:e,change:t,version:c}):u===`conflicts`?(0,K.jsx)(De,{space:e.id,change:t}):(0,K.jsxs)(`div`,{className:L.layout,children:[(0,K.jsx)(Ze,{space:e,change:t,version:c}),(0,K.jsxs)(`aside`,{className:L.side,"aria-label":n.reviewAndMerge,children:[(0,K.jsx)(Ie,{space:e,change:t,conflicts:l}),(0,K.jsx)(Ve,{space:e.id,change:t})]})]})]})}})}export{et as default};